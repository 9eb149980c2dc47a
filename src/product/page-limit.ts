import { invalid } from '#lib/errors.ts';

/** Rows that one page of a list holds at most. */
export const PAGE_ROWS_MAX = 100;

/** Throws Invalid unless the limit is a whole number from 1 to 100. */
export function checkLimit(limit: number): void {
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > PAGE_ROWS_MAX) {
    throw invalid(`The limit must be a whole number from 1 to ${PAGE_ROWS_MAX}`, 'limit');
  }
}
