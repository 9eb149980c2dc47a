import { z } from 'zod';
import { decodeCursor, encodeCursor } from '#product/cursor.ts';
import { checkLimit } from '#product/page-limit.ts';

/** `cursor` null for the first page. */
export type AskedPage = { limit: number; cursor: string | null };

const PLACE = z.object({ offset: z.number().int().nonnegative().max(1_000_000) });

/** By their number in the list: what a release holds seldom changes while somebody reads it. */
export async function readPage<Row>(
  { limit, cursor }: AskedPage,
  read: (page: { limit: number; offset: number }) => Promise<readonly Row[]>,
): Promise<{ rows: readonly Row[]; nextCursor: string | null }> {
  checkLimit(limit);
  const offset = decodeCursor(cursor, PLACE)?.offset ?? 0;
  const rows = await read({ limit: limit + 1, offset });
  return {
    rows: rows.slice(0, limit),
    nextCursor: rows.length > limit ? encodeCursor({ offset: offset + limit }) : null,
  };
}
