import type { User } from '#storage/ports/accounts.ts';
import type { Stores } from '#storage/ports/stores.ts';
import type { AuditAction } from './audit-actions.ts';

/**
 * Makes a change of how somebody signs in, and keeps it in the audit log of every organization that they are in.
 * `change` answers the user, or null when nothing changed.
 */
export async function auditSignInChange(
  { stores, now }: { stores: Pick<Stores, 'accounts' | 'audit'>; now: () => number },
  input: { action: AuditAction; ipAddress: string | null; change: () => Promise<User | null> },
): Promise<User | null> {
  const { action, ipAddress, change } = input;
  return stores.audit.record(
    async () => {
      const user = await change();
      for (const { organizationId } of user ? await stores.accounts.listMemberships(user.id) : []) {
        await stores.audit.record(
          async () => user,
          (who) =>
            who && {
              organizationId,
              at: now(),
              action,
              actor: { kind: 'user', userId: who.id, name: who.name, tokenId: null },
              ipAddress,
              target: { kind: 'user', id: who.id, name: who.email },
              data: {},
            },
        );
      }
      return user;
    },
    () => null,
  );
}
