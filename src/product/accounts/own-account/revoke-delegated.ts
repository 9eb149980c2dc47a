import type { AuditAction } from '#product/audit/audit-actions.ts';
import type { Services } from '#product/services.ts';
import type { User } from '#storage/ports/accounts.ts';
import type { NewAuditEntry } from '#storage/ports/audit.ts';
import type { WebServices } from '#storage/ports/stores.ts';

type Revoking = Pick<Services, 'stores' | 'now'> & { ipAddress: string | null };

/** What acts for a person without a session: personal tokens, and programs that they connected. */
export type Delegated = { tokens: number; programs: number };

export async function countDelegated(
  { stores, now }: Pick<Services, 'stores' | 'now'>,
  userId: string,
): Promise<Delegated> {
  const [tokens, programs] = await Promise.all([
    stores.accounts.listTokens(userId),
    stores.oauth.listGrants(userId, now()),
  ]);
  return { tokens: tokens.length, programs: programs.length };
}

/** Ends all of it, each with its entry in the audit log; answers how much there was. */
export async function revokeDelegated(services: Revoking, user: User): Promise<Delegated> {
  const tokens = await revokePersonalTokens(services, user);
  const programs = await revokeAll(services, user, async ({ oauth }) => {
    const grants = await oauth.endGrants(user.id, services.now());
    return grants.map(({ id, organizationId, clientName }) => ({
      organizationId,
      action: 'oauth-grant.remove',
      target: { kind: 'oauth_grant', id: String(id), name: clientName },
    }));
  });
  return { tokens, programs };
}

/** Answers how many there were. */
export async function revokePersonalTokens(services: Revoking, user: User): Promise<number> {
  return revokeAll(services, user, async ({ accounts }) => {
    const tokens = await accounts.deleteTokens(user.id);
    return tokens.map(({ id, organizationId, name }) => ({
      organizationId,
      action: 'api-key.remove',
      target: { kind: 'personal_token', id: String(id), name },
    }));
  });
}

type Revoked = Pick<NewAuditEntry, 'organizationId' | 'target'> & { action: AuditAction };

/** What `revoke` answers and its entries in the audit log are one transaction. */
async function revokeAll(
  { stores, now, ipAddress }: Revoking,
  { id: userId, name }: User,
  revoke: (stores: WebServices) => Promise<readonly Revoked[]>,
): Promise<number> {
  return stores.inTransaction(async (within) => {
    const revoked = await revoke(within);
    for (const each of revoked) {
      const actor = { kind: 'user', userId, name, tokenId: null } as const;
      await within.audit.record({ ...each, at: now(), actor, ipAddress, data: {} });
    }
    return revoked.length;
  });
}
