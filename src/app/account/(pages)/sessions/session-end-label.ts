import type { OpenSession, SessionLimits } from '#storage/ports/authenticator.ts';

/** `ends on 2026-11-30 unless used`; the age limit comes on its day whether the session is used or not. */
export function sessionEndLabel(
  { createdAt, lastUsedAt, endsAt }: Pick<OpenSession, 'createdAt' | 'lastUsedAt' | 'endsAt'>,
  { idleMsMax, ageMsMax }: SessionLimits,
): string {
  const idleEndsAt = lastUsedAt + idleMsMax;
  const isPutOffByUse = endsAt === idleEndsAt && idleEndsAt < createdAt + ageMsMax;
  return `expires on ${new Date(endsAt).toISOString().slice(0, 10)}${isPutOffByUse ? ' unless used' : ''}`;
}
