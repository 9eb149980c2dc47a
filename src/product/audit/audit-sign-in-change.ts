import type { User } from '#storage/ports/accounts.ts';
import type { InTransaction, Stores } from '#storage/ports/stores.ts';
import type { AuditAction } from './audit-actions.ts';

/**
 * Makes a change of how somebody signs in, and keeps it in the audit log of every organization that they are in.
 * `change` works with the stores handed to it, and answers the user, or null when nothing changed.
 */
export async function auditSignInChange<Held extends Pick<Stores, 'accounts' | 'audit'>>(
  { stores, now }: { stores: { inTransaction: InTransaction<Held> }; now: () => number },
  input: { action: AuditAction; ipAddress: string | null; change: (stores: Held) => Promise<User | null> },
): Promise<User | null> {
  const { action, ipAddress, change } = input;
  return stores.inTransaction(async (within) => {
    const user = await change(within);
    if (!user) return null;
    for (const { organizationId } of await within.accounts.listMemberships(user.id)) {
      await within.audit.record({
        organizationId,
        at: now(),
        action,
        actor: { kind: 'user', userId: user.id, name: user.name, tokenId: null },
        ipAddress,
        target: { kind: 'user', id: user.id, name: user.email },
        data: {},
      });
    }
    return user;
  });
}
