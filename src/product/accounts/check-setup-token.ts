import type { WebServices } from '#storage/ports/stores.ts';
import { needsSetup } from './needs-setup.ts';
import { hashSecret } from './one-time-secret.ts';

/** Whether an address of the set-up opens, and if not, why. */
export async function checkSetupToken(
  stores: Pick<WebServices, 'accounts'>,
  token: string | null,
  nowMs: number,
): Promise<'open' | 'wrong_token' | 'set_up'> {
  if (!(await needsSetup(stores))) return 'set_up';
  if (token === null) return 'wrong_token';
  const opens = await stores.accounts.checkOneTimeSecret('setup', hashSecret(token), nowMs);
  return opens ? 'open' : 'wrong_token';
}
