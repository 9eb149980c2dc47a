import { notFound } from '#lib/errors.ts';
import { auditSignInChange } from '#product/audit/audit-sign-in-change.ts';
import type { Stores } from '#storage/ports/stores.ts';
import { checkEmail } from '../check-email.ts';

/** For the operator, when somebody has lost both app and recovery codes. Throws NotFound. */
export async function removeSecondFactor(
  services: { stores: Pick<Stores, 'accounts' | 'inTransaction'>; now: () => number },
  email: string,
): Promise<{ wasOn: boolean }> {
  const user = await services.stores.accounts.findUserByEmail(checkEmail(email));
  if (!user) throw notFound(`No user has the address ${email}: check how it is written`);
  const changed = await auditSignInChange(services, {
    action: 'user.2fa-disable',
    ipAddress: null,
    change: async ({ accounts }) => ((await accounts.removeTwoFactor(user.id)) ? user : null),
  });
  return { wasOn: changed !== null };
}
