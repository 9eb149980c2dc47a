import { DAY_MS } from '#lib/time.ts';
import type { WebServices } from '#storage/ports/stores.ts';
import { needsSetup } from './needs-setup.ts';
import { createOneTimeSecret, hashSecret } from './one-time-secret.ts';

/** It opens only while nobody owns the instance, and each start makes a new one; the expiry is a last resort. */
const SETUP_TOKEN_MS = 365 * DAY_MS;

/** A token for `/setup?token=…`, in place of any earlier one; null when the instance has an owner. */
export async function issueSetupToken(
  stores: Pick<WebServices, 'accounts'>,
  nowMs: number,
): Promise<string | null> {
  if (!(await needsSetup(stores))) return null;
  const token = createOneTimeSecret();
  await stores.accounts.putOneTimeSecret({
    purpose: 'setup',
    userId: null,
    secretHash: hashSecret(token),
    expiresAt: nowMs + SETUP_TOKEN_MS,
  });
  return token;
}
