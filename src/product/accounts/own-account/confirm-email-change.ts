import { invalid } from '#lib/errors.ts';
import { auditSignInChange } from '#product/audit/audit-sign-in-change.ts';
import type { Services } from '#product/services.ts';
import { hashSecret } from '../one-time-secret.ts';
import { tellOwner } from './self.ts';

/** The address that the link would set; null when it does not open any more. */
export async function checkEmailChange(
  { stores, now }: Pick<Services, 'stores' | 'now'>,
  token: string,
): Promise<string | null> {
  return stores.accounts.checkEmailChange(hashSecret(token), now());
}

/** Changes the address and uses the link up; the old address is told. Throws Invalid, Conflict. */
export async function confirmEmailChange(
  services: Pick<Services, 'stores' | 'now' | 'mailer' | 'publicUrl'>,
  input: { token: string; ipAddress: string | null },
): Promise<{ email: string }> {
  const { stores, now } = services;
  let oldEmail = '';
  const user = await auditSignInChange(services, {
    action: 'user.email-change',
    ipAddress: input.ipAddress,
    change: async () => {
      const changed = await stores.accounts.takeEmailChange(hashSecret(input.token), now());
      oldEmail = changed?.oldEmail ?? '';
      return changed && stores.accounts.findUser(changed.userId);
    },
  });
  if (!user) throw invalid('This link was used already or is older than a day: ask for a new one');
  tellOwner(services, oldEmail, `Your e-mail address is now ${user.email}`);
  return { email: user.email };
}
