import type { z } from 'zod';
import { invalid } from '#lib/errors.ts';

const CURSOR_CHARACTERS_MAX = 512;

/** An opaque place in a list: base64url of JSON. */
export function encodeCursor(place: unknown): string {
  return Buffer.from(JSON.stringify(place), 'utf8').toString('base64url');
}

/** null when there is none; throws Invalid when the text was not made for this list. */
export function decodeCursor<Place>(text: string | null, schema: z.ZodType<Place>): Place | null {
  if (text === null || text === '') return null;
  if (text.length > CURSOR_CHARACTERS_MAX || !/^[\w-]+$/.test(text)) throw badCursor();
  const parsed = schema.safeParse(parseJson(Buffer.from(text, 'base64url').toString('utf8')));
  if (!parsed.success) throw badCursor();
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badCursor();
  }
}

/** A page of rows read with one more than the limit. `nextCursor` is null for the last page. */
export function toPage<Row>(
  rows: readonly Row[],
  limit: number,
  placeOf: (row: Row) => unknown,
): { page: readonly Row[]; nextCursor: string | null } {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { page, nextCursor: last === undefined ? null : encodeCursor(placeOf(last)) };
}

const badCursor = () =>
  invalid('The cursor does not belong to this list: start again without a cursor', 'cursor');

/** Rows that one page of a list holds at most. */
export const PAGE_ROWS_MAX = 100;

/** Throws Invalid unless the limit is a whole number from 1 to 100. */
export function checkLimit(limit: number): void {
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > PAGE_ROWS_MAX) {
    throw invalid(`The limit must be a whole number from 1 to ${PAGE_ROWS_MAX}`, 'limit');
  }
}
