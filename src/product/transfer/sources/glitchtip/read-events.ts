import type { ForeignDatabase, ForeignRow } from '#storage/ports/foreign-database.ts';
import type { ReadOptions } from '../../transfer-source.ts';
import { EVENT_CHARACTERS_MAX, EVENT_PAGE_ROWS } from '../event-bounds.ts';
import { flagOf, hexOf, numberOf, timeOf } from '../foreign-values.ts';
import { placeholders, readByKey, readPages } from '../read-by-key.ts';
import type { StepItem } from '../read-steps.ts';
import { unmapped } from '../unmapped.ts';
import { eventPayload } from './event-payload.ts';
import type { GlitchtipSchema } from './glitchtip-schema.ts';
import type { GlitchtipProject } from './read-structure.ts';

/** Before everything. */
const NEVER = '-infinity';
const NIL = '00000000-0000-0000-0000-000000000000';

/**
 * Events issue by issue, since that is how GlitchTip's tables are indexed in all versions, and within an issue in the order of
 * arrival. A `mark` follows each issue and each page of a large one.
 */
export async function* readEvents(
  database: ForeignDatabase,
  schema: GlitchtipSchema,
  projects: readonly GlitchtipProject[],
  { fromMs, toMs, progress }: Pick<ReadOptions, 'fromMs' | 'toMs' | 'progress'>,
  after: string | null,
): AsyncGenerator<StepItem> {
  if (projects.length === 0) return;
  const [issueAfter = '0', atAfter = NEVER, idAfter = NIL] = after?.split('|') ?? [];
  const issues = readByKey(
    database,
    `SELECT id, project_id FROM issue_events_issue WHERE id >= $1 AND project_id IN (${placeholders(projects.length, 2)}) ORDER BY id`,
    {
      after: [Number(issueAfter)],
      keyOf: ({ id }) => [numberOf(id) + 1],
      parameters: projects.map(({ id }) => id),
    },
  );
  let read = 0;
  for await (const issue of issues) {
    const issueId = numberOf(issue.id);
    const isFirst = issueId === Number(issueAfter);
    const begin = isFirst ? { at: atAfter, id: idAfter } : { at: NEVER, id: NIL };
    for await (const page of pagesOf(database, schema, issueId, begin)) {
      for (const row of page) {
        const item = eventOf(row, issueId, numberOf(issue.project_id), schema);
        if (item.kind === 'event') {
          const atMs = Date.parse(item.receivedAt);
          if (atMs < fromMs || atMs >= toMs) continue;
        }
        yield item;
      }
      read += page.length;
      progress(`events: ${read}`);
      const last = page.at(-1);
      if (last) yield { kind: 'mark', after: `${issueId}|${last.at}|${last.id}` };
    }
  }
}

/** With server IDs the order of IDs is that of arrival; before, there is a column. */
function pagesOf(
  database: ForeignDatabase,
  schema: GlitchtipSchema,
  issueId: number,
  begin: { at: string; id: string },
): AsyncGenerator<readonly ForeignRow[]> {
  const arrived = schema.has('issue_events_issueevent', 'received') ? 'event.received' : 'event.timestamp';
  const order = schema.hasServerIds ? 'event.id' : `${arrived}, event.id`;
  const bound = schema.hasServerIds ? 'event.id > $2' : `(${arrived}, event.id) > ($1, $2)`;
  return readPages(
    database,
    `SELECT CAST(event.id AS text) AS id, ${schema.hasServerIds ? 'CAST(event.event_id AS text)' : 'NULL'} AS event_id,
       CAST(${arrived} AS text) AS at, event.timestamp, event.level, event.title, event.transaction, event.tags,
       octet_length(CAST(event.data AS text)) > ${EVENT_CHARACTERS_MAX} AS is_too_large,
       CASE WHEN octet_length(CAST(event.data AS text)) <= ${EVENT_CHARACTERS_MAX} THEN event.data END AS data,
       release.version AS release
       FROM issue_events_issueevent event LEFT JOIN releases_release release ON release.id = event.release_id
       WHERE ${bound} AND event.issue_id = $3 AND CAST($1 AS timestamptz) IS NOT NULL ORDER BY ${order}`,
    {
      after: [begin.at, begin.id],
      keyOf: ({ at, id }) => [String(at), String(id)],
      parameters: [issueId],
      pageRows: EVENT_PAGE_ROWS,
    },
  );
}

function eventOf(row: ForeignRow, issueId: number, projectId: number, { hasServerIds }: GlitchtipSchema) {
  const id = hexOf(row.event_id) ?? hexOf(row.id);
  const receivedAt = (hasServerIds ? arrivalOf(row) : null) ?? timeOf(row.at);
  if (id === null || receivedAt === null || flagOf(row.is_too_large)) {
    const reason = `Its body has more than ${EVENT_CHARACTERS_MAX} characters`;
    return unmapped('event', `${issueId}/${row.id}`, row.title, reason);
  }
  return {
    kind: 'event' as const,
    id,
    project: String(projectId),
    issue: String(issueId),
    receivedAt,
    payload: eventPayload(row, id),
    attachments: [],
  };
}

/** The first 48 bits of an ID of version 7 are milliseconds since the epoch; null for another ID. */
function arrivalOf(row: ForeignRow): string | null {
  const hex = hexOf(row.id);
  return hex?.[12] === '7' ? timeOf(parseInt(hex.slice(0, 12), 16)) : null;
}
