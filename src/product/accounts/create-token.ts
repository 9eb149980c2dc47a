import { randomInt } from 'node:crypto';
import { forbidden, invalid, notFound } from '#lib/errors.ts';
import { audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { TOKEN_DAYS_DEFAULT, tokenExpiry } from '#product/tokens/token-expiry.ts';
import type { ApiToken } from '#storage/ports/accounts.ts';
import { checkScopes } from './check-scopes.ts';
import { hashSecret } from './one-time-secret.ts';

export const TOKEN_PREFIX = 'errata_';
export const TOKEN_RANDOM_CHARS = 40;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const NAME_CHARS_MAX = 100;

/**
 * An API token for the organization of the context. It belongs to whoever asks; one made by the operator belongs to
 * an owner of the organization. `token` is shown once: only its hash is kept. `expiresAt` in milliseconds, null for never; after 90 days unless said.
 */
export async function createToken(
  ctx: Context,
  input: { name: string; scopes: readonly string[]; expiresAt?: number | null },
): Promise<{ token: string; record: ApiToken }> {
  if (ctx.actor.kind !== 'user' && ctx.actor.kind !== 'system') {
    throw forbidden('A token cannot make tokens: sign in, or use `errata token create`');
  }
  const scopes = checkScopes(input.scopes);
  const name = input.name.trim();
  if (name === '' || name.length > NAME_CHARS_MAX) {
    throw invalid(`Give the token a name of 1 to ${NAME_CHARS_MAX} characters`, 'name');
  }
  const { expiresAt = tokenExpiry(TOKEN_DAYS_DEFAULT, ctx.now()) } = input;
  if (expiresAt !== null && expiresAt <= ctx.now()) {
    throw invalid('The expiry lies in the past: choose a later time', 'expiresAt');
  }
  const token = TOKEN_PREFIX + randomBase62(TOKEN_RANDOM_CHARS);
  const userId = ctx.actor.kind === 'user' ? ctx.actor.userId : await findOwnerId(ctx);
  const record = await audited(
    ctx,
    (ctx) =>
      ctx.stores.accounts.createToken({
        organizationId: ctx.organization.id,
        userId,
        name,
        scopes,
        tokenHash: hashSecret(token),
        expiresAt,
      }),
    ({ id }) => ({
      action: 'api-key.create',
      target: { kind: 'personal_token', id, name },
      data: { scopes, expiresAt },
    }),
  );
  return { token, record };
}

async function findOwnerId(ctx: Context): Promise<string> {
  const owners = (await ctx.stores.accounts.listMembers(ctx.organization.id)).filter(
    (member) => member.role === 'owner',
  );
  const owner = owners.find((member) => member.isInstanceOwner) ?? owners[0];
  if (!owner) throw notFound(`Organization "${ctx.organization.slug}" has no owner: finish the set-up first`);
  return owner.id;
}

const randomBase62 = (chars: number): string =>
  Array.from({ length: chars }, () => BASE62[randomInt(BASE62.length)]).join('');
