import type { WebServices } from '#storage/ports/stores.ts';
import { hashSecret } from './one-time-secret.ts';

/** Whether a reset address still opens; does not use it up. */
export async function checkPasswordReset(
  stores: Pick<WebServices, 'accounts'>,
  token: string,
  nowMs: number,
): Promise<boolean> {
  return stores.accounts.checkOneTimeSecret('reset_password', hashSecret(token), nowMs);
}
