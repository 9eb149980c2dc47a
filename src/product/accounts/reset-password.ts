import { invalid } from '#lib/errors.ts';
import { auditSignInChange } from '#product/audit/audit-sign-in-change.ts';
import type { Services } from '#product/services.ts';
import { checkPassword } from './check-password.ts';
import { hashSecret } from './one-time-secret.ts';
import { revokeDelegated } from './own-account/revoke-delegated.ts';
import { findOwnWords } from './own-words.ts';

/**
 * Sets a new password, ends every session of the user and uses the token up. `revokesTokens`: personal tokens and
 * connected programs end as well. Answers the cookies by which the sign-in page knows the browser. Throws Invalid.
 */
export async function resetPassword(
  { stores, now }: Pick<Services, 'stores' | 'now'>,
  input: { token: string; password: string; revokesTokens: boolean; ipAddress?: string | null },
): Promise<readonly string[]> {
  const { accounts, authenticator } = stores;
  const ipAddress = input.ipAddress ?? null;
  const secretHash = hashSecret(input.token);
  const owner = await accounts.findOneTimeSecretUser('reset_password', secretHash, now());
  if (!owner) throw opensNoMore();
  await checkPassword(input.password, await findOwnWords(stores, owner));
  await auditSignInChange(
    { stores, now },
    {
      action: 'user.password-reset',
      ipAddress,
      change: async (within) => {
        const secret = await within.accounts.takeOneTimeSecret('reset_password', secretHash, now());
        if (secret?.userId !== owner.id) throw opensNoMore();
        await within.authenticator.setPassword(owner.id, input.password);
        if (input.revokesTokens) await revokeDelegated({ stores: within, now, ipAddress }, owner);
        return owner;
      },
    },
  );
  return authenticator.knowDevice(owner.id);
}

const opensNoMore = () =>
  invalid('This address was used already or is older than an hour: ask for a new one', 'token');
