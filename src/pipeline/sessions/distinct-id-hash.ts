import { createHash } from 'node:crypto';

/** 16 hex digits in place of a distinct id, which may be an address or a name; null when there is none. */
export function hashDistinctId(distinctId: unknown): string | null {
  const text = typeof distinctId === 'number' ? String(distinctId) : distinctId;
  if (typeof text !== 'string' || text === '') return null;
  return createHash('sha256').update(text.toWellFormed()).digest('hex').slice(0, 16);
}
