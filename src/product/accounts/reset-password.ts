import { invalid } from '#lib/errors.ts';
import { auditSignInChange } from '#product/audit/audit-sign-in-change.ts';
import type { Services } from '#product/services.ts';
import { checkPassword } from './check-password.ts';
import { hashSecret } from './one-time-secret.ts';

/** Sets a new password, ends every session of the user and uses the token up. Throws Invalid. */
export async function resetPassword(
  { stores, now }: Pick<Services, 'stores' | 'now'>,
  input: { token: string; password: string; ipAddress?: string | null },
): Promise<void> {
  checkPassword(input.password);
  const { accounts, authenticator } = stores;
  await auditSignInChange(
    { stores, now },
    {
      action: 'user.password-reset',
      ipAddress: input.ipAddress ?? null,
      change: async () => {
        const secret = await accounts.takeOneTimeSecret('reset_password', hashSecret(input.token), now());
        if (!secret?.userId) {
          throw invalid('This address was used already or is older than an hour: ask for a new one', 'token');
        }
        await authenticator.setPassword(secret.userId, input.password);
        return accounts.findUser(secret.userId);
      },
    },
  );
}
