import type { PersonCount, PersonKind, PersonQuery, PersonRows } from '#storage/ports/person-data.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { both, type SqlPart, unhex } from '../query-params.ts';
import { forgetHashes } from '../search/values/store-values.ts';
import { noteRemoved } from '../search/values/stored-values.ts';
import { namesPerson } from './person-names.ts';
import { FEEDBACK_ABOUT_EVENTS, KINDS_IN_ORDER, PERSON_TABLES, type PersonTable } from './person-tables.ts';

/** Hashes whose index is said to be incomplete in one statement. */
const HASHES_PER_STATEMENT_MAX = 500;
/** Hashes of values read at once. */
const HASHES_PER_PAGE = 10_000;
/** A note reads whole tables; it must not keep others from their memory. */
const NOTE_SETTINGS = 'SETTINGS max_threads = 2, max_block_size = 8192, max_insert_block_size = 100000';

export function createPersonRows(database: ClickhouseDatabase): PersonRows {
  const note = async (requestId: number, kind: PersonKind, rows: SqlPart): Promise<void> => {
    const { table, rowId, blobKey } = PERSON_TABLES[kind];
    const hash = kind === 'events' ? 'toString(grouping_hash)' : "''";
    await database.write(
      `INSERT INTO person_rows (request_id, kind, project_id, row_id, blob_key, grouping_hash)
       SELECT DISTINCT {requestId:UInt64}, '${kind}', project_id, ${rowId}, ${blobKey ? 'blob_key' : "''"}, ${hash}
       FROM ${table} WHERE ${rows.sql} ${NOTE_SETTINGS}`,
      { ...rows.params, requestId },
    );
  };
  return {
    async note(requestId, query) {
      for (const kind of KINDS_IN_ORDER) {
        const { naming, belongs } = PERSON_TABLES[kind];
        const own: SqlPart = naming
          ? withTags(kind, namesPerson(naming, query.identifiers, query.distinctIdHashes), query)
          : { sql: 'false', params: {} };
        const others = belongs.map((link) => belongsTo(database.name, link));
        const condition = [own.sql, ...others].join(' OR ');
        await note(
          requestId,
          kind,
          both(ofQuery(query, kind), { sql: `(${condition})`, params: own.params }),
        );
        if (kind !== 'events') continue;
        const about = belongsTo(database.name, FEEDBACK_ABOUT_EVENTS);
        await note(requestId, 'feedback', both(ofQuery(query, 'feedback'), { sql: about, params: {} }));
      }
    },

    count: (requestId) =>
      database.query<PersonCount>(
        `SELECT kind, project_id AS projectId, uniqExact(row_id, blob_key) AS rows FROM person_rows
         WHERE request_id = {requestId:UInt64} GROUP BY kind, project_id ORDER BY kind, project_id`,
        { requestId },
      ),

    async listBlobKeys(requestId, after, limit) {
      const rows = await database.query<{ blob_key: string }>(
        `SELECT DISTINCT blob_key FROM person_rows
         WHERE request_id = {requestId:UInt64} AND blob_key > {after:String}
         ORDER BY blob_key LIMIT {limit:UInt32}`,
        { requestId, after, limit },
      );
      return rows.map((row) => row.blob_key);
    },

    listHashes: (requestId, after, limit) =>
      database.query<{ projectId: number; hash: string }>(
        `SELECT project_id AS projectId, grouping_hash AS hash FROM person_rows
         WHERE request_id = {requestId:UInt64} AND kind = 'events' AND grouping_hash > {after:String}
         GROUP BY project_id, grouping_hash ORDER BY hash, projectId LIMIT {limit:UInt32}`,
        { requestId, after, limit },
      ),

    async read(requestId, kind, after, limit) {
      const { table, rowId } = PERSON_TABLES[kind];
      const rows = await database.query<{ rowIdOfPerson: string } & Record<string, unknown>>(
        `SELECT ${rowId} AS rowIdOfPerson, * FROM ${table}
         WHERE (project_id, ${rowId}) IN (
           SELECT project_id, row_id FROM person_rows
           WHERE request_id = {requestId:UInt64} AND kind = {kind:String} AND row_id > {after:String}
           ORDER BY row_id LIMIT {limit:UInt32})
         ORDER BY rowIdOfPerson
         SETTINGS date_time_output_format = 'iso', max_execution_time = 55`,
        { requestId, kind, after, limit },
      );
      return rows.map(({ rowIdOfPerson, ...row }) => ({ rowId: rowIdOfPerson, row }));
    },

    async skip(requestId, kind, after, limit) {
      const [row] = await database.query<{ last: string }>(
        `SELECT max(row_id) AS last FROM (
           SELECT row_id FROM person_rows
           WHERE request_id = {requestId:UInt64} AND kind = {kind:String} AND row_id > {after:String}
           ORDER BY row_id LIMIT {limit:UInt32})`,
        { requestId, kind, after, limit },
      );
      return row?.last || null;
    },

    async hide(requestId, query) {
      const { organizationId, receivedUntilMs } = query;
      await tellIncomplete(requestId, organizationId, receivedUntilMs);
      for (const kind of KINDS_IN_ORDER) {
        const { table } = PERSON_TABLES[kind];
        const noted = isNoted(requestId, organizationId, kind);
        // A deletion looks through every part: most kinds have nothing, and a second round has little.
        const [any] = await database.query<{ found: number }>(
          `SELECT 1 AS found FROM ${table} WHERE ${noted} LIMIT 1`,
          {},
        );
        if (!any) continue;
        if (kind === 'events') {
          await database.write(noteRemoved(noted, Date.now()), {});
          await database.write(
            `DELETE FROM event_index WHERE organization_id = ${whole(organizationId)} AND (project_id, event_id) IN (
               SELECT project_id, ${unhex('row_id')} FROM person_rows
               WHERE request_id = ${whole(requestId)} AND kind = 'events')`,
            {},
          );
        }
        await database.write(`DELETE FROM ${table} WHERE ${noted}`, {});
      }
    },

    async hasVisible(requestId, query) {
      for (const kind of KINDS_IN_ORDER) {
        const { table, receivedAt } = PERSON_TABLES[kind];
        if (!receivedAt) continue;
        const inTime = ofQuery(query, kind);
        const [any] = await database.query<{ found: number }>(
          `SELECT 1 AS found FROM ${table} WHERE ${isNoted(requestId, query.organizationId, kind)} AND ${inTime.sql} LIMIT 1`,
          inTime.params,
        );
        if (any) return true;
      }
      return false;
    },

    forget: (requestId) =>
      database.command(`ALTER TABLE person_rows DROP PARTITION ID '${whole(requestId)}'`),

    async listNoted() {
      const rows = await database.query<{ partition_id: string }>(
        `SELECT DISTINCT partition_id FROM ${database.system('parts')}
         WHERE database = {database:String} AND table = 'person_rows' AND active`,
        { database: database.storedIn },
      );
      return rows.map((row) => Number(row.partition_id));
    },
  };

  /** Who writes the index of values remembers for a while what it wrote: on these days it is said to be incomplete. */
  async function tellIncomplete(requestId: number, organizationId: number, sinceMs: number): Promise<void> {
    const rows = await database.query<{ projectId: number; hashes: string[] }>(
      `SELECT project_id AS projectId, groupUniqArray(${HASHES_PER_PAGE})(substring(row_id, 34)) AS hashes FROM person_rows
       WHERE request_id = {requestId:UInt64} AND kind = 'searchValues' GROUP BY project_id`,
      { requestId },
    );
    for (const { projectId, hashes } of rows) {
      for (let start = 0; start < hashes.length; start += HASHES_PER_STATEMENT_MAX) {
        const list = hashes
          .slice(start, start + HASHES_PER_STATEMENT_MAX)
          .map(quoteHash)
          .join(', ');
        await database.command(
          forgetHashes({ organizationId, projectId, hashes: list }, sinceMs, Date.now()).before,
        );
      }
    }
  }
}

/** Rows of the organization that arrived in time. */
function ofQuery(
  { organizationId, receivedUntilMs }: Pick<PersonQuery, 'organizationId' | 'receivedUntilMs'>,
  kind: PersonKind,
): SqlPart {
  const { receivedAt } = PERSON_TABLES[kind];
  const until = receivedAt
    ? ` AND ${receivedAt} <= fromUnixTimestamp64Milli({receivedUntilMs:Int64}, 'UTC')`
    : '';
  return {
    sql: `organization_id = {organizationId:UInt64}${until}`,
    params: { organizationId, ...(receivedAt && { receivedUntilMs: Math.trunc(receivedUntilMs) }) },
  };
}

/** The tag `user`, which search values have, names a person whatever the name looks like. */
function withTags(kind: PersonKind, own: SqlPart, { identifiers }: PersonQuery): SqlPart {
  if (kind !== 'searchValues') return own;
  const tags = identifiers.map((key) => `${key.kind}:${key.value}`);
  return {
    sql: `(${own.sql} OR has({userTags:Array(String)}, value)
      OR (field IN ('tag:user.id', 'tag:user.email', 'tag:user.username') AND has({userNames:Array(String)}, value)))`,
    params: { ...own.params, userTags: tags, userNames: identifiers.map(({ value }) => value) },
  };
}

/** Rows that belong to noted rows of another kind, wherever in the database those lie. */
function belongsTo(database: string, { column, to, of }: PersonTable['belongs'][number]): string {
  const noted = `SELECT project_id, row_id FROM ${database}.person_rows WHERE request_id = {requestId:UInt64} AND kind = '${to}'`;
  if (of === undefined) return `(project_id, ${column}) IN (${noted})`;
  const other = PERSON_TABLES[to];
  return `(project_id, ${column}) IN (
    SELECT project_id, ${of} FROM ${database}.${other.table}
    WHERE organization_id = {organizationId:UInt64} AND ${of} != '' AND (project_id, ${other.rowId}) IN (${noted}))`;
}

/** Statements that delete take no parameters, and are kept by the engine: ids of rows are all that they know. */
const isNoted = (requestId: number, organizationId: number, kind: PersonKind): string =>
  `organization_id = ${whole(organizationId)} AND (project_id, ${PERSON_TABLES[kind].rowId}) IN (
     SELECT project_id, row_id FROM person_rows WHERE request_id = ${whole(requestId)} AND kind = '${kind}')`;

function quoteHash(hash: string): string {
  if (!/^[0-9a-f]{32}$/.test(hash)) throw new Error(`"${hash}" is not a grouping hash`);
  return `'${hash}'`;
}

function whole(value: number): string {
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`${value} is not a valid ID`);
  return String(value);
}
