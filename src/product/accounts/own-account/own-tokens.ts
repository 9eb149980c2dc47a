import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import type { ApiToken } from '#storage/ports/accounts.ts';
import { createToken } from '../create-token.ts';
import { listUserOrganizations } from '../list-user-organizations.ts';
import { revokePersonalTokens } from './revoke-delegated.ts';
import { notifyOwner, requirePassword, type Self } from './self.ts';

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

/**
 * A token of the person for the organization of the context: it outlives the session, so it takes the password. `token`
 * is shown once. Throws Invalid with the field's name, RateLimited.
 */
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
  if (!token) throw notFound('This token was revoked already: reload the page');
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
