import { z } from 'zod';
import { del, get, type Operation, post, put } from '#app/api/0/operation.ts';
import { readPathNumber } from '#app/api/0/path-scope.ts';
import { idOf, isoMs, isoMsOrNull, NULL, shapeOf } from '#app/api/0/shape.ts';
import type { OrganizationToken } from '#product/tokens/organization-token-store.ts';
import {
  createOrganizationToken,
  getOrganizationToken,
  listOrganizationTokens,
  renameOrganizationToken,
  revokeOrganizationToken,
  TOKEN_DAYS_DEFAULT,
  TOKEN_DAYS_MAX,
  tokenExpiry,
} from '#product/tokens/organization-tokens.ts';

/** Source of the fields: Sentry's `org-auth-tokens`. `token` is there once, when it was made. */
export const [ORGANIZATION_TOKEN, serializeOrganizationToken] = shapeOf<
  OrganizationToken,
  [token?: string]
>()(
  {
    token: [z.string().optional(), (_, token) => token],
    id: idOf('id'),
    name: z.string(),
    scopes: z.array(z.string()),
    tokenLastCharacters: [z.string(), 'lastCharacters'],
    dateCreated: isoMs('createdAt'),
    dateLastUsed: isoMsOrNull('lastUsedAt'),
    expiresAt: isoMsOrNull('expiresAt'),
    projectLastUsedId: NULL,
  },
  'OrganizationToken',
);

const TOKEN = z.object({ name: z.string().max(1_000) });

const NEW_TOKEN = TOKEN.extend({
  expiresInDays: z
    .int()
    .min(1)
    .max(TOKEN_DAYS_MAX)
    .nullable()
    .default(TOKEN_DAYS_DEFAULT)
    .describe('Days until it expires; null for no expiration'),
});

export const organizationTokenOperations: readonly Operation[] = [
  /** Source of these: Sentry's `org-auth-tokens` endpoints. */
  get('organizations/[org]/org-auth-tokens', {
    summary: "Lists the organization's tokens",
    scopes: ['org:read'],
    answer: z.array(ORGANIZATION_TOKEN),
    async handle({ ctx }) {
      const tokens = await listOrganizationTokens(ctx);
      return tokens.map((token) => serializeOrganizationToken(token));
    },
  }),

  post('organizations/[org]/org-auth-tokens', {
    summary: 'Creates an organization token',
    scopes: ['org:write'],
    alsoScopes: ['org:ci'],
    body: NEW_TOKEN,
    answer: ORGANIZATION_TOKEN,
    status: 201,
    async handle({ ctx, body }) {
      const { name, expiresInDays } = body;
      const expiresAt = tokenExpiry(expiresInDays, ctx.now());
      const { token, record } = await createOrganizationToken(ctx, { name, expiresAt });
      return serializeOrganizationToken(record, token);
    },
  }),

  get('organizations/[org]/org-auth-tokens/[token]', {
    summary: 'Retrieves an organization token',
    scopes: ['org:read'],
    answer: ORGANIZATION_TOKEN,
    handle: async ({ ctx, params }) =>
      serializeOrganizationToken(await getOrganizationToken(ctx, readId(params))),
  }),

  put('organizations/[org]/org-auth-tokens/[token]', {
    summary: 'Renames an organization token',
    scopes: ['org:write'],
    body: TOKEN,
    answer: null,
    handle: async ({ ctx, params, body }) =>
      renameOrganizationToken(ctx, { tokenId: readId(params), name: body.name }),
  }),

  del('organizations/[org]/org-auth-tokens/[token]', {
    summary: 'Revokes an organization token',
    scopes: ['org:write'],
    answer: null,
    handle: async ({ ctx, params }) => revokeOrganizationToken(ctx, { tokenId: readId(params) }),
  }),
];

const readId = ({ token }: { token: string }): number => readPathNumber(token, 'The token does not exist');
