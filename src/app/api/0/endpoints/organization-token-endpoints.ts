import { z } from 'zod';
import { contextOf } from '#app/api/0/api-caller.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { readJsonBody } from '#app/api/0/read-json-body.ts';
import { ORGANIZATION_TOKEN } from '#app/api/0/schemas/organization-token.ts';
import { serializeOrganizationToken } from '#app/api/0/serializers/serialize-organization-token.ts';
import { notFound } from '#lib/errors.ts';
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
import type { OrganizationParams } from './organization-endpoints.ts';

type TokenParams = OrganizationParams & { token: string };

const TOKEN = z.object({ name: z.string().max(1_000) });
const NEW_TOKEN = TOKEN.extend({
  expiresInDays: z
    .int()
    .min(1)
    .max(TOKEN_DAYS_MAX)
    .nullable()
    .default(TOKEN_DAYS_DEFAULT)
    .describe('Days until it expires; null for never'),
});

const LIST_ORGANIZATION_TOKENS = {
  summary: 'Lists tokens of the organization',
  scopes: ['org:read'],
  answer: z.array(ORGANIZATION_TOKEN),
} satisfies Operation;

/** Source of these: Sentry's `org-auth-tokens` endpoints. */
export const listOrganizationTokensEndpoint = declare<OrganizationParams>(
  LIST_ORGANIZATION_TOKENS,
  async ({ caller, params }) => {
    const tokens = await listOrganizationTokens(contextOf(caller, params.org));
    return { body: tokens.map((token) => serializeOrganizationToken(token)) };
  },
);

const CREATE_ORGANIZATION_TOKEN = {
  summary: 'Creates a token of the organization',
  scopes: ['org:write'],
  alsoScopes: ['org:ci'],
  body: NEW_TOKEN,
  answer: ORGANIZATION_TOKEN,
  status: 201,
} satisfies Operation;

export const createOrganizationTokenEndpoint = declare<OrganizationParams>(
  CREATE_ORGANIZATION_TOKEN,
  async (call) => {
    const ctx = contextOf(call.caller, call.params.org);
    const { name, expiresInDays } = await readJsonBody(call.request, NEW_TOKEN);
    const expiresAt = tokenExpiry(expiresInDays, ctx.now());
    const { token, record } = await createOrganizationToken(ctx, { name, expiresAt });
    return { body: serializeOrganizationToken(record, token), status: 201 };
  },
);

const GET_ORGANIZATION_TOKEN = {
  summary: 'Answers a token of the organization',
  scopes: ['org:read'],
  answer: ORGANIZATION_TOKEN,
} satisfies Operation;

export const getOrganizationTokenEndpoint = declare<TokenParams>(
  GET_ORGANIZATION_TOKEN,
  async ({ caller, params }) => {
    const ctx = contextOf(caller, params.org);
    return { body: serializeOrganizationToken(await getOrganizationToken(ctx, readId(params))) };
  },
);

const RENAME_ORGANIZATION_TOKEN = {
  summary: 'Renames a token of the organization',
  scopes: ['org:write'],
  body: TOKEN,
  answer: null,
} satisfies Operation;

export const renameOrganizationTokenEndpoint = declare<TokenParams>(
  RENAME_ORGANIZATION_TOKEN,
  async (call) => {
    const ctx = contextOf(call.caller, call.params.org);
    const { name } = await readJsonBody(call.request, TOKEN);
    await renameOrganizationToken(ctx, { tokenId: readId(call.params), name });
    return { body: null, status: 204 };
  },
);

const REVOKE_ORGANIZATION_TOKEN = {
  summary: 'Revokes a token of the organization',
  scopes: ['org:write'],
  answer: null,
} satisfies Operation;

export const revokeOrganizationTokenEndpoint = declare<TokenParams>(
  REVOKE_ORGANIZATION_TOKEN,
  async ({ caller, params }) => {
    await revokeOrganizationToken(contextOf(caller, params.org), { tokenId: readId(params) });
    return { body: null, status: 204 };
  },
);

function readId({ token }: TokenParams): number {
  if (!/^\d{1,15}$/.test(token)) throw notFound('The token does not exist');
  return Number(token);
}
