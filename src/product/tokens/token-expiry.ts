import { invalid } from '#lib/errors.ts';
import { DAY_MS } from '#lib/time.ts';

/** What a token gets when nobody chooses. */
export const TOKEN_DAYS_DEFAULT = 90;
export const TOKEN_DAYS_MAX = 3_650;

/** null: it does not expire. */
export type TokenDays = number | null;

/** When a token that is made now expires, in milliseconds. Throws Invalid with the field's name. */
export function tokenExpiry(days: TokenDays, nowMs: number): number | null {
  if (days === null) return null;
  if (!Number.isInteger(days) || days < 1 || days > TOKEN_DAYS_MAX) {
    throw invalid(`Choose a whole number of days from 1 to ${TOKEN_DAYS_MAX}, or no expiry`, 'days');
  }
  return nowMs + days * DAY_MS;
}
