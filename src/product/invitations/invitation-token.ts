import { WEEK_MS } from '#lib/time.ts';
import { createOneTimeSecret, hashSecret } from '#product/accounts/one-time-secret.ts';

/** How long the address of an invitation opens. */
export const INVITATION_MS = WEEK_MS;

/** A new address of an invitation, and what is kept of it. */
export function newInvitationToken(
  publicUrl: string,
  nowMs: number,
): { url: string; tokenHash: Uint8Array; expiresAt: number } {
  const token = createOneTimeSecret();
  return {
    url: `${publicUrl}/invite/${token}`,
    tokenHash: hashSecret(token),
    expiresAt: nowMs + INVITATION_MS,
  };
}
