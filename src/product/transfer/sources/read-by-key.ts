import type { ForeignDatabase, ForeignRow } from '#storage/ports/foreign-database.ts';

const PAGE_ROWS = 500;

type Key = readonly (string | number)[];

/** Below every UUID, dashed or not. */
export const NIL_UUID = '0'.repeat(32);

/**
 * The rows of a statement in the order of a key that no two of them share, a page in memory. The statement compares the key with `$1`
 * (and `$2`, for one of two parts) and orders by it; what follows are `parameters`.
 */
export async function* readByKey(
  database: ForeignDatabase,
  statement: string,
  {
    after,
    keyOf,
    parameters = [],
    pageRows = PAGE_ROWS,
  }: { after: Key; keyOf: (row: ForeignRow) => Key; parameters?: Key; pageRows?: number },
): AsyncGenerator<ForeignRow> {
  for await (const page of readPages(database, statement, { after, keyOf, parameters, pageRows }))
    yield* page;
}

/** As `readByKey`, by page. */
export async function* readPages(
  database: ForeignDatabase,
  statement: string,
  {
    after,
    keyOf,
    parameters = [],
    pageRows = PAGE_ROWS,
  }: { after: Key; keyOf: (row: ForeignRow) => Key; parameters?: Key; pageRows?: number },
): AsyncGenerator<readonly ForeignRow[]> {
  let key = after;
  for (;;) {
    const rows = await database.rows(`${statement} LIMIT ${pageRows}`, [...key, ...parameters]);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < pageRows) return;
    key = keyOf(last);
  }
}

/** `$3, $4, $5`: the parameters of a list. */
export const placeholders = (count: number, first = 1): string =>
  Array.from({ length: count }, (_, index) => `$${first + index}`).join(', ');
