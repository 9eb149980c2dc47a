import type { OpenSession, SessionLimits } from '#storage/ports/authenticator.ts';
import { formatUtcDay } from '#ui/format-time.ts';

/** `expires on Nov 30, 2026 unless used`; the age limit comes on its day whether the session is used or not. */
export function sessionEndLabel(
  { createdAt, lastUsedAt, endsAt }: Pick<OpenSession, 'createdAt' | 'lastUsedAt' | 'endsAt'>,
  { idleMsMax, ageMsMax }: SessionLimits,
): string {
  const idleEndsAt = lastUsedAt + idleMsMax;
  const isPutOffByUse = endsAt === idleEndsAt && idleEndsAt < createdAt + ageMsMax;
  return `expires on ${formatUtcDay(endsAt)}${isPutOffByUse ? ' unless used' : ''}`;
}
