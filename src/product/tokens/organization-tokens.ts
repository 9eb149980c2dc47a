import { randomBytes } from 'node:crypto';
import { invalid, notFound } from '#lib/errors.ts';
import { hashSecret } from '#lib/one-time-secret.ts';
import { DAY_MS } from '#lib/time.ts';
import { userIdOf } from '#product/acting-user.ts';
import { audited } from '#product/audit/audited.ts';
import { type Context, inTransaction } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { Services } from '#product/services.ts';
import type { OrganizationToken } from './organization-token-store.ts';

const NAME_CHARACTERS_MAX = 255;
const TOKENS_MAX = 500;
/** What a token of an organization may do: what a build needs, uploading and releasing. */
export const ORGANIZATION_TOKEN_SCOPES = ['org:ci'] as const;

/** Newest first, without the tokens themselves. */
export async function listOrganizationTokens(ctx: Context): Promise<readonly OrganizationToken[]> {
  requireRight(ctx, 'org:read');
  return ctx.stores.organizationTokens.list(ctx.organization.id);
}

/** Throws NotFound, also for tokens of other organizations. */
export async function getOrganizationToken(ctx: Context, tokenId: number): Promise<OrganizationToken> {
  const token = (await listOrganizationTokens(ctx)).find(({ id }) => id === tokenId);
  if (!token) throw tokenNotFound(ctx);
  return token;
}

/** `token` is shown once. `expiresAt` in milliseconds, null for never, 90 days by default. Throws Invalid. */
export async function createOrganizationToken(
  ctx: Context,
  input: { name: string; expiresAt?: number | null },
): Promise<{ token: string; record: OrganizationToken }> {
  requireRight(ctx, 'org:write');
  // A token gives no right that it lacks.
  for (const scope of ORGANIZATION_TOKEN_SCOPES) requireRight(ctx, scope);
  const name = checkName(input.name);
  const { length } = await ctx.stores.organizationTokens.list(ctx.organization.id);
  if (length >= TOKENS_MAX)
    throw invalid(`There are already ${TOKENS_MAX} tokens: revoke some first`, 'name');
  const { expiresAt = tokenExpiry(TOKEN_DAYS_DEFAULT, ctx.now()) } = input;
  const token = formatOrganizationToken({
    nowMs: ctx.now(),
    url: ctx.publicUrl,
    organization: ctx.organization.slug,
  });
  const record = await audited(
    ctx,
    (ctx) =>
      ctx.stores.organizationTokens.create({
        organizationId: ctx.organization.id,
        name,
        scopes: ORGANIZATION_TOKEN_SCOPES,
        tokenHash: hashSecret(token),
        lastCharacters: token.slice(-4),
        createdBy: userIdOf(ctx),
        createdAt: ctx.now(),
        expiresAt,
      }),
    ({ id }) => ({
      action: 'org-auth-token.create',
      target: { kind: 'organization_token', id, name },
      data: { expiresAt },
    }),
  );
  return { token, record };
}

/** Throws Invalid and NotFound. */
export async function renameOrganizationToken(
  ctx: Context,
  input: { tokenId: number; name: string },
): Promise<OrganizationToken> {
  requireRight(ctx, 'org:write');
  const name = checkName(input.name);
  return audited(
    ctx,
    async (ctx) => {
      const renamed = await ctx.stores.organizationTokens.rename(ctx.organization.id, input.tokenId, name);
      if (!renamed) throw tokenNotFound(ctx);
      return renamed;
    },
    ({ id }) => ({ action: 'org-auth-token.edit', target: { kind: 'organization_token', id, name } }),
  );
}

/** It opens nothing from now on. Throws NotFound. */
export async function revokeOrganizationToken(ctx: Context, input: { tokenId: number }): Promise<void> {
  requireRight(ctx, 'org:write');
  await audited(
    ctx,
    async (ctx) => {
      const removed = await ctx.stores.organizationTokens.remove(ctx.organization.id, input.tokenId);
      if (!removed) throw tokenNotFound(ctx);
      return removed;
    },
    ({ id, name }) => ({ action: 'org-auth-token.remove', target: { kind: 'organization_token', id, name } }),
  );
}

/** Revokes every token of the organization; answers how many. */
export async function revokeAllOrganizationTokens(ctx: Context): Promise<number> {
  requireRight(ctx, 'org:write');
  return inTransaction(ctx, async (ctx) => {
    const removed = await ctx.stores.organizationTokens.removeAll(ctx.organization.id);
    for (const { id, name } of removed) {
      await audited(
        ctx,
        async () => {},
        () => ({ action: 'org-auth-token.remove', target: { kind: 'organization_token', id, name } }),
      );
    }
    return removed.length;
  });
}

function checkName(input: string): string {
  const name = input.trim();
  if (name === '' || name.length > NAME_CHARACTERS_MAX || /\p{Cc}/u.test(name)) {
    throw invalid(`Enter a token name of 1 to ${NAME_CHARACTERS_MAX} characters`, 'name');
  }
  return name;
}

const tokenNotFound = (ctx: Context) =>
  notFound(`Token not found in ${ctx.organization.slug}: it may have been revoked, reload the list`);

/** What a token gets when nobody chooses. */
export const TOKEN_DAYS_DEFAULT = 90;
export const TOKEN_DAYS_MAX = 3_650;

/** null: it does not expire. */
export type TokenDays = number | null;

/** When a token that is made now expires, in milliseconds. Throws Invalid with the field's name. */
export function tokenExpiry(days: TokenDays, nowMs: number): number | null {
  if (days === null) return null;
  if (!Number.isInteger(days) || days < 1 || days > TOKEN_DAYS_MAX) {
    throw invalid(`Choose a whole number of days from 1 to ${TOKEN_DAYS_MAX}, or no expiration`, 'days');
  }
  return nowMs + days * DAY_MS;
}

/**
 * Sentry's form of an organization's token, which its tools take apart to learn where to go: a prefix, the payload as
 * base64 of JSON, and the secret as base64 without padding.
 * Source: https://github.com/getsentry/rfcs/blob/main/text/0091-ci-upload-tokens.md
 */
export const ORGANIZATION_TOKEN_PREFIX = 'sntrys_';
const SECRET_BYTES = 32;
/** Longer ones cannot be ours. */
export const ORGANIZATION_TOKEN_CHARACTERS_MAX = 2_000;

export function formatOrganizationToken(payload: {
  nowMs: number;
  url: string;
  organization: string;
}): string {
  const { nowMs, url, organization } = payload;
  const json = JSON.stringify({ iat: nowMs / 1000, url, region_url: url, org: organization });
  const secret = randomBytes(SECRET_BYTES).toString('base64').replace(/=+$/, '');
  return `${ORGANIZATION_TOKEN_PREFIX}${Buffer.from(json).toString('base64')}_${secret}`;
}

export const looksLikeOrganizationToken = (text: string): boolean =>
  text.startsWith(ORGANIZATION_TOKEN_PREFIX) && text.length <= ORGANIZATION_TOKEN_CHARACTERS_MAX;

/** The context of an organization's token; null when it is unknown, expired or revoked. What its text says is not believed. */
export async function findOrganizationTokenContext(
  { stores, now, publicUrl }: Pick<Services, 'stores' | 'now' | 'publicUrl'>,
  token: string,
): Promise<Context | null> {
  const record = await stores.organizationTokens.find(hashSecret(token), now());
  if (!record) return null;
  const organizations = await stores.projects.listOrganizations();
  const organization = organizations.find(({ id }) => id === record.organizationId);
  if (!organization) return null;
  return {
    stores,
    organization,
    actor: {
      kind: 'organization_token',
      tokenId: record.id,
      name: `Organization token ${record.name}`,
      scopes: record.scopes,
    },
    now,
    publicUrl,
  };
}
