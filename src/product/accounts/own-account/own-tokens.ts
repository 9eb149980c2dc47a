import { randomInt } from 'node:crypto';
import { forbidden, invalid, notFound } from '#lib/errors.ts';
import { hashSecret } from '#lib/one-time-secret.ts';
import { audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { TOKEN_DAYS_DEFAULT, tokenExpiry } from '#product/tokens/organization-tokens.ts';
import { isScope, SCOPES, type Scope } from '#protocol/scopes.ts';
import type { ApiToken } from '../account.ts';
import { listUserOrganizations } from '../resolve-user-context.ts';
import { notifyOwner, requirePassword, type Self } from './self.ts';
import { revokePersonalTokens } from './sessions.ts';

export type OwnToken = ApiToken & {
  /** null after the organization was left: the token opens nothing. */
  organization: { slug: string; name: string } | null;
};

/** The tokens that belong to the person, in every organization, newest first. */
export async function listOwnTokens({ stores, session }: Self): Promise<readonly OwnToken[]> {
  const [tokens, organizations] = await Promise.all([
    stores.accounts.listTokens(session.userId),
    listUserOrganizations({ stores }, session.userId),
  ]);
  const byId = new Map(organizations.map(({ id, slug, name }) => [id, { slug, name }]));
  return tokens.map((token) => ({ ...token, organization: byId.get(token.organizationId) ?? null }));
}

/** A personal token for the organization of the context; `token` is shown once. Throws Invalid, RateLimited. */
export async function createOwnToken(
  self: Self,
  ctx: Context,
  { currentPassword, ...input }: Parameters<typeof createToken>[1] & { currentPassword: string },
): Promise<{ token: string; record: ApiToken }> {
  await requirePassword(self, currentPassword);
  const made = await createToken(ctx, input);
  notifyOwner(self, self.session.email, `The token “${made.record.name}” was created`);
  return made;
}

/** The token opens nothing from now on. Throws NotFound. */
export async function revokeOwnToken(self: Self, tokenId: number): Promise<void> {
  const { stores, session, now, ipAddress } = self;
  const token = (await stores.accounts.listTokens(session.userId)).find(({ id }) => id === tokenId);
  if (!token) throw notFound('This token was already revoked: reload the page');
  await stores.inTransaction(async ({ accounts, audit }) => {
    if (!(await accounts.deleteToken(session.userId, tokenId))) return;
    await audit.record({
      organizationId: token.organizationId,
      at: now(),
      action: 'api-key.remove',
      actor: { kind: 'user', userId: session.userId, name: session.name, tokenId: null },
      ipAddress,
      target: { kind: 'personal_token', id: String(token.id), name: token.name },
      data: {},
    });
  });
}

/** Revokes every token of the person, in every organization; answers how many. */
export async function revokeAllOwnTokens(self: Self): Promise<number> {
  const { userId: id, email, name, isInstanceOwner } = self.session;
  const revoked = await revokePersonalTokens(self, { id, email, name, isInstanceOwner });
  if (revoked > 0) notifyOwner(self, email, 'All your personal tokens were revoked');
  return revoked;
}

export const TOKEN_PREFIX = 'errata_';
export const TOKEN_RANDOM_CHARS = 40;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const NAME_CHARS_MAX = 100;

/** A token of the user, or of an owner for the operator. `expiresAt` in ms, null for never, 90 days by default. */
export async function createToken(
  ctx: Context,
  input: { name: string; scopes: readonly string[]; expiresAt?: number | null },
): Promise<{ token: string; record: ApiToken }> {
  if (ctx.actor.kind !== 'user' && ctx.actor.kind !== 'system') {
    throw forbidden('A token cannot create tokens: sign in, or use `errata token create`');
  }
  const scopes = checkScopes(input.scopes);
  const name = input.name.trim();
  if (name === '' || name.length > NAME_CHARS_MAX) {
    throw invalid(`Enter a token name of 1 to ${NAME_CHARS_MAX} characters`, 'name');
  }
  const { expiresAt = tokenExpiry(TOKEN_DAYS_DEFAULT, ctx.now()) } = input;
  if (expiresAt !== null && expiresAt <= ctx.now()) {
    throw invalid('The expiration time is in the past: choose a later time', 'expiresAt');
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
  if (!owner) throw notFound(`Organization "${ctx.organization.slug}" has no owner: finish setup first`);
  return owner.id;
}

const randomBase62 = (chars: number): string =>
  Array.from({ length: chars }, () => BASE62[randomInt(BASE62.length)]).join('');

/** The named scopes, each once, in the order of the list. Throws Invalid for a name that is no scope, or for none. */
export function checkScopes(names: readonly string[]): readonly Scope[] {
  if (names.length === 0) throw invalid('Specify at least one scope, for example event:read', 'scopes');
  for (const name of names) {
    if (!isScope(name)) throw invalid(`"${name}" is not a scope: choose from ${SCOPES.join(', ')}`, 'scopes');
  }
  return SCOPES.filter((scope) => names.includes(scope));
}
