import { sql, type Transaction } from 'kysely';
import type { Database } from '#storage/sql/schema.ts';

/** A table whose rows belong to an issue and go with it. */
export type ChildTable = {
  name: string;
  /** The column that names the issue. */
  issueColumn: string;
  /** Columns that a row can be written with; generated ones are left out. */
  columns: readonly string[];
  /** Rows have their own id and do not conflict within an issue, so they can move. */
  isMovable: boolean;
};

/** Kept by the hash index itself, told of issues that are gone, or over with the issue: a shared address does not come back. */
const NO_CHILDREN = ['grouping_hashes', 'issue_redirects', 'issue_shares'];

/** Rows keep their numbers and are never there twice, so that what is done is not told again; those that wait may collide. */
const OUTBOX = 'outbox';

/** Asked of the database, so that whatever hangs on an issue follows it without being named here. */
export async function listChildTables(transaction: Transaction<Database>): Promise<readonly ChildTable[]> {
  const { rows } = await sql<{ name: string; column: string; columns: string[]; movable: boolean }>`
    SELECT
      child.relname AS name,
      link.attname AS column,
      (SELECT array_agg(attname ORDER BY attnum) FROM pg_attribute
       WHERE attrelid = child.oid AND attnum > 0 AND NOT attisdropped AND attidentity = '' AND attgenerated = ''
      )::text[] AS columns,
      EXISTS (SELECT FROM pg_attribute WHERE attrelid = child.oid AND attname = 'id' AND attidentity <> '')
        AND (child.relname = ${OUTBOX} OR NOT EXISTS (
          SELECT FROM pg_index WHERE indrelid = child.oid AND indisunique AND link.attnum = ANY(indkey)
        )) AS movable
    FROM pg_constraint fk
    JOIN pg_class child ON child.oid = fk.conrelid
    JOIN pg_attribute link ON link.attrelid = child.oid AND link.attnum = fk.conkey[1]
    WHERE fk.contype = 'f' AND fk.confrelid = 'issues'::regclass AND fk.confdeltype = 'c'
      AND cardinality(fk.conkey) = 1 AND child.relname <> ALL(${NO_CHILDREN}::text[])
    ORDER BY child.relname`.execute(transaction);
  return rows.map(({ name, column, columns, movable }) => ({
    name,
    issueColumn: column,
    columns,
    isMovable: movable,
  }));
}

/** Rows of the issues as they are now, with all that hangs on them. */
export async function keepRows(
  transaction: Transaction<Database>,
  changeId: number,
  issueIds: readonly number[],
  tables: readonly ChildTable[],
): Promise<void> {
  await sql`
    INSERT INTO grouping_change_rows (change_id, table_name, issue_id, content)
    SELECT ${changeId}, 'issues', id, to_jsonb(issues) FROM issues WHERE id = ANY(${issueIds}::bigint[])
  `.execute(transaction);
  for (const { name, issueColumn } of [
    ...tables,
    { name: 'issue_redirects', issueColumn: 'issue_id' },
  ] as const) {
    const column = sql.id(issueColumn);
    await sql`
      INSERT INTO grouping_change_rows (change_id, table_name, issue_id, content)
      SELECT ${changeId}, ${name}, child.${column}, to_jsonb(child) FROM ${sql.id(name)} child
      WHERE child.${column} = ANY(${issueIds}::bigint[])`.execute(transaction);
  }
}

/** Passes children of dissolved issues to their successors, without duplicates and without "first seen" activities. */
export async function passOnChildren(
  transaction: Transaction<Database>,
  gone: readonly { issueId: number; into: number }[],
  tables: readonly ChildTable[],
): Promise<void> {
  const from = gone.map(({ issueId }) => issueId);
  const into = gone.map((entry) => entry.into);
  for (const { name, issueColumn, columns, isMovable } of tables) {
    const table = sql.id(name);
    const issue = sql.id(issueColumn);
    if (isMovable) {
      if (name === OUTBOX) await dropDuplicateEntries(transaction, from, into);
      await sql`
        UPDATE ${table} child SET ${issue} = gone.into_id
        FROM unnest(${from}::bigint[], ${into}::bigint[]) AS gone (from_id, into_id)
        WHERE child.${issue} = gone.from_id ${name === 'activities' ? sql`AND child.type <> 'first_seen'` : sql``}
      `.execute(transaction);
      continue;
    }
    const others = columns.filter((column) => column !== issueColumn).map((column) => sql.id(column));
    await sql`
      INSERT INTO ${table} (${sql.join([issue, ...others])})
      SELECT ${sql.join([sql`gone.into_id`, ...others.map((column) => sql`child.${column}`)])}
      FROM ${table} child
      JOIN unnest(${from}::bigint[], ${into}::bigint[]) AS gone (from_id, into_id) ON child.${issue} = gone.from_id
      ON CONFLICT DO NOTHING`.execute(transaction);
  }
  await sql`
    UPDATE issue_redirects SET issue_id = gone.into_id
    FROM unnest(${from}::bigint[], ${into}::bigint[]) AS gone (from_id, into_id)
    WHERE issue_redirects.issue_id = gone.from_id`.execute(transaction);
}

/** When issues become one, a single outbox entry waits for each rule: one that is known to match, or else the oldest. */
async function dropDuplicateEntries(
  transaction: Transaction<Database>,
  from: readonly number[],
  into: readonly number[],
): Promise<void> {
  await sql`
    DELETE FROM outbox WHERE id IN (
      SELECT id FROM (
        SELECT waiting.id, row_number() OVER (
          PARTITION BY waiting.rule_id, coalesce(gone.into_id, waiting.issue_id)
          ORDER BY coalesce(waiting.data ->> 'verdict' = 'fits', false) DESC, waiting.id
        ) AS place
        FROM outbox waiting
        LEFT JOIN unnest(${from}::bigint[], ${into}::bigint[]) AS gone (from_id, into_id)
          ON gone.from_id = waiting.issue_id
        WHERE waiting.issue_id = ANY(${[...from, ...into]}::bigint[]) AND waiting.done_at IS NULL
          AND waiting.rule_id IS NOT NULL
      ) AS ranked WHERE place > 1
    )`.execute(transaction);
}

/** The opposite: what was kept of the issues is theirs again, as far as nobody deleted it meanwhile. */
export async function takeBackChildren(
  transaction: Transaction<Database>,
  changeId: number,
  returned: readonly { issueId: number; from: number }[],
  tables: readonly ChildTable[],
): Promise<void> {
  const ids = returned.map(({ issueId }) => issueId);
  const from = returned.map((entry) => entry.from);
  const pairs = sql`unnest(${ids}::bigint[], ${from}::bigint[]) AS returned (issue_id, from_id)`;
  for (const { name, issueColumn, columns, isMovable } of tables) {
    const table = sql.id(name);
    const issue = sql.id(issueColumn);
    const kept = sql`grouping_change_rows kept`;
    const isKept = sql`kept.change_id = ${changeId} AND kept.table_name = ${name}`;
    if (isMovable) {
      await sql`
        UPDATE ${table} child SET ${issue} = returned.issue_id
        FROM ${kept} JOIN ${pairs} ON returned.issue_id = kept.issue_id
        WHERE ${isKept} AND child.id = (kept.content->>'id')::bigint AND child.${issue} = returned.from_id
      `.execute(transaction);
      if (name !== 'activities') continue;
      const { list, values } = await readKeptColumns(transaction, changeId, name, ['id', ...columns]);
      await sql`
        INSERT INTO activities (${list}) OVERRIDING SYSTEM VALUE
        SELECT ${values}
        FROM ${kept} JOIN ${pairs} ON returned.issue_id = kept.issue_id
        CROSS JOIN LATERAL jsonb_populate_record(NULL::activities, kept.content) AS past
        WHERE ${isKept} AND past.type = 'first_seen' ON CONFLICT DO NOTHING`.execute(transaction);
      continue;
    }
    // What the issue had not before, and one that returns brought, goes again. Columns that are younger than what was
    // kept of it say nothing.
    const own = (content: ReturnType<typeof sql>) => sql`(${content} - ${issueColumn}::text - 'id')`;
    await sql`
      DELETE FROM ${table} child USING ${kept} JOIN ${pairs} ON returned.issue_id = kept.issue_id
      WHERE ${isKept} AND child.${issue} = returned.from_id
        AND ${own(sql`to_jsonb(child)`)} || ${own(sql`kept.content`)} = ${own(sql`to_jsonb(child)`)}
        AND NOT EXISTS (
          SELECT FROM grouping_change_rows before
          WHERE before.change_id = ${changeId} AND before.table_name = ${name}
            AND before.issue_id = returned.from_id AND ${own(sql`before.content`)} = ${own(sql`kept.content`)}
        )`.execute(transaction);
    const { list, values } = await readKeptColumns(transaction, changeId, name, columns);
    await sql`
      INSERT INTO ${table} (${list})
      SELECT ${values}
      FROM ${kept} JOIN ${pairs} ON returned.issue_id = kept.issue_id
      CROSS JOIN LATERAL jsonb_populate_record(NULL::${table}, kept.content) AS past
      WHERE ${isKept} ON CONFLICT DO NOTHING`.execute(transaction);
  }
  await sql`DELETE FROM issue_redirects WHERE old_issue_id = ANY(${ids}::bigint[])`.execute(transaction);
  await sql`
    UPDATE issue_redirects SET issue_id = kept.issue_id FROM grouping_change_rows kept
    WHERE kept.change_id = ${changeId} AND kept.table_name = 'issue_redirects' AND kept.issue_id = ANY(${ids}::bigint[])
      AND issue_redirects.old_issue_id = (kept.content->>'old_issue_id')::bigint`.execute(transaction);
}

/** Columns that a change kept: younger ones have their defaults. */
async function readKeptColumns(
  transaction: Transaction<Database>,
  changeId: number,
  table: string,
  columns: readonly string[],
) {
  const { rows } = await sql<{ column: string }>`
    SELECT "column" FROM unnest(${columns}::text[]) AS "column" WHERE NOT EXISTS (
      SELECT FROM grouping_change_rows
      WHERE change_id = ${changeId} AND table_name = ${table} AND NOT content ? "column"
    )`.execute(transaction);
  return {
    list: sql.join(rows.map(({ column }) => sql.id(column))),
    values: sql.join(rows.map(({ column }) => sql`past.${sql.id(column)}`)),
  };
}
