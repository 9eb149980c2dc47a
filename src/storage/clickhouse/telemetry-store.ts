import { invalid } from '#lib/errors.ts';
import type { TelemetryKind, TelemetryOrigin, TelemetryRows } from '#protocol/telemetry.ts';
import type { EventFilter, EventScope, IssueEvents } from '#storage/ports/events.ts';
import type {
  TelemetryFilter,
  TelemetryPage,
  TelemetryQuery,
  TelemetryStore,
} from '#storage/ports/telemetry.ts';
import type { ClickhouseDatabase } from './client.ts';
import { eventIds } from './event-index.ts';
import { both, inScope, isEmpty, isVisible, listParam, type SqlPart } from './query-params.ts';
import type { Cells } from './telemetry/columns.ts';
import { countCheckIns } from './telemetry/count-check-ins.ts';
import { insertRows } from './telemetry/insert-rows.ts';
import { readCheckIns } from './telemetry/read-check-ins.ts';
import { readChunkSample, readProfiledTransactions } from './telemetry/read-profiled-transactions.ts';
import { readProfiledReleases, readProfileSample } from './telemetry/read-profiles.ts';
import { readProjectSessions, readReleaseHealth } from './telemetry/read-release-health.ts';
import {
  readIssueReplays,
  readReplayErrors,
  readReplays,
  summarizeReplays,
} from './telemetry/read-replays.ts';
import { type PlacedRow, readNewestRows, readRows } from './telemetry/read-rows.ts';
import { readSessions } from './telemetry/read-sessions.ts';
import { countTrace, outlineTrace, readSpan, readTrace } from './telemetry/read-trace.ts';
import { isScarce, StoredKinds } from './telemetry/stored-kinds.ts';
import { attachments, feedback, replaySegments, TABLES } from './telemetry/tables.ts';
import type { TelemetryTable } from './telemetry/telemetry-table.ts';

/** Rows of one page. */
const PAGE_ROWS_MAX = 1_000;
/** Attachments listed for one event. */
const ATTACHMENTS_PER_EVENT_MAX = 1_000;
/** Feedback listed for one event. */
const FEEDBACK_PER_EVENT_MAX = 20;
/** Errors listed for one replay. */
const ERRORS_PER_REPLAY_MAX = 500;
/** Segments listed for one replay. */
const SEGMENTS_PER_REPLAY_MAX = 10_000;

/** Rows may lie twice in a table until parts are merged: every query here reads each of them once. */
export function createTelemetryStore(
  database: ClickhouseDatabase,
  kinds = new StoredKinds(database),
): TelemetryStore {
  return {
    insert: (rows, token) => insertRows(database, rows, token),

    async list(kind, scope, query) {
      const table = tableOf(kind);
      const conditions = filtered(table, scope, query);
      if (conditions === null) return NO_PAGE;
      checkLimit(query.limit);
      const { limit, before, range } = query;
      const asked = { conditions, limit, after: before, range };
      // Few rows, which an index finds in all days at once: to look at the newest days first is to look three times.
      const isOfTrace = query.filter?.traceId !== undefined;
      if (isOfTrace && isScarce(kind) && !(await kinds.has(kind, scope))) return NO_PAGE;
      return toPage<typeof kind>(
        isOfTrace
          ? await readRows(database, table, {
              ...asked,
              direction: 'newest first',
              isById: TRACE_IS_INDEXED.has(kind),
            })
          : await readNewestRows(database, table, asked),
      );
    },

    async find(kind, scope, id) {
      if (isEmpty(scope) || !SHORT_HEX.test(id)) return null;
      const table = tableOf(kind);
      const { by, first } = table.find;
      const visible = inScope(scope);
      const [cells] = await database.query<Cells>(
        `SELECT ${table.select} FROM ${table.table}
         WHERE ${visible.sql} AND ${by} = {id:String}
         ORDER BY ${first ? `${first}, ` : ''} received_at DESC LIMIT 1`,
        { ...visible.params, id },
      );
      return cells ? (table.fromCells(cells) as TelemetryRows[typeof kind][number]) : null;
    },

    async listEventAttachments(scope, eventId) {
      if (!(await kinds.has('attachments', scope))) return [];
      return readAllOf(database, attachments, scope, {
        by: 'event_id',
        id: eventId,
        each: 'attachment_id',
        order: 'name, attachment_id',
        max: ATTACHMENTS_PER_EVENT_MAX,
      });
    },

    async listEventFeedback(scope, eventId) {
      if (!(await kinds.has('feedback', scope))) return [];
      return readAllOf(database, feedback, scope, {
        by: 'associated_event_id',
        id: eventId,
        each: 'feedback_id',
        order: 'occurred_at DESC, feedback_id DESC',
        max: FEEDBACK_PER_EVENT_MAX,
      });
    },

    async listReplaySegments(scope, replayId) {
      return readAllOf(database, replaySegments, scope, {
        by: 'replay_id',
        id: replayId,
        each: 'segment_id, kind',
        order: 'segment_id, kind',
        max: SEGMENTS_PER_REPLAY_MAX,
      });
    },

    async sampleProfiles(scope, query) {
      checkLimit(query.limit);
      return isEmpty(scope) ? { rows: [], total: 0 } : readProfileSample(database, scope, query);
    },

    async sampleProfiledTransactions(scope, query) {
      checkLimit(query.limit);
      return isEmpty(scope) ? { rows: [], total: 0 } : readProfiledTransactions(database, scope, query);
    },

    async sampleChunks(scope, query) {
      checkLimit(query.limit);
      return isEmpty(scope) || query.stretches.length === 0 ? [] : readChunkSample(database, scope, query);
    },

    async listProfiledReleases(scope, query) {
      checkLimit(query.limit);
      return isEmpty(scope) ? [] : readProfiledReleases(database, scope, query);
    },

    async findTrace(scope, traceId, limits) {
      if (isEmpty(scope) || !HEX_32.test(traceId)) return NO_TRACE;
      return readTrace(database, scope, traceId, limits);
    },

    async outlineTrace(scope, traceId, limits) {
      if (isEmpty(scope) || !HEX_32.test(traceId)) return NO_TRACE;
      return outlineTrace(database, scope, traceId, limits);
    },

    async findSpan(scope, traceId, spanId) {
      if (isEmpty(scope) || !HEX_32.test(traceId) || !HEX_16.test(spanId)) return null;
      return readSpan(database, scope, traceId, spanId);
    },

    async countTrace(scope, traceId, max) {
      checkLimit(max);
      if (isEmpty(scope) || !HEX_32.test(traceId)) return NO_COUNTS;
      return countTrace(database, scope, traceId, max);
    },

    async listCheckIns(scope, query) {
      checkLimit(query.limit);
      return isEmpty(scope) ? NO_PAGE : readCheckIns(database, scope, query);
    },

    async countCheckIns(scope, query) {
      return isEmpty(scope) || query.monitors.length === 0 ? [] : countCheckIns(database, scope, query);
    },

    async listReplays(scope, query) {
      checkLimit(query.limit);
      return isEmpty(scope) ? NO_PAGE : readReplays(database, scope, query);
    },

    async findReplay(scope, replayId) {
      if (isEmpty(scope) || !HEX_32.test(replayId)) return null;
      const [replay] = await summarizeReplays(
        database,
        both(inScope(scope), { sql: 'replay_id = {replayId:String}', params: { replayId } }),
      );
      return replay ?? null;
    },

    async listReplayErrors(scope, errorIds) {
      const ids = errorIds.filter((id) => HEX_32.test(id)).slice(0, ERRORS_PER_REPLAY_MAX);
      return isEmpty(scope) || ids.length === 0 ? [] : readReplayErrors(database, scope, ids);
    },

    async deleteReplay({ organizationId, projectId, replayId }) {
      if (!HEX_32.test(replayId)) return;
      for (const { table } of [TABLES.replaySegments, TABLES.replays]) {
        await database.command(
          `DELETE FROM ${table} WHERE organization_id = ${Number(organizationId)}
             AND project_id = ${Number(projectId)} AND replay_id = '${replayId}'`,
        );
      }
    },

    async countReleaseHealth(scope, query) {
      return isEmpty(scope) ? [] : readReleaseHealth(database, scope, query);
    },

    async countSessions(scope, query) {
      return isEmpty(scope) ? [] : readSessions(database, scope, query);
    },

    async countProjectSessions(scope, query) {
      return isEmpty(scope) ? new Map() : readProjectSessions(database, scope, query);
    },

    async listIssueReplays(scope, issue, limit) {
      checkLimit(limit);
      const conditions = aboutIssue(scope, issue, 'error_id');
      return conditions === null ? [] : readIssueReplays(database, conditions, limit);
    },

    async listIssueFeedback(scope, issue, { limit, before, filter }) {
      checkLimit(limit);
      const conditions = aboutIssue(scope, issue, 'associated_event_id', filter);
      if (conditions === null || !(await kinds.has('feedback', scope))) return NO_PAGE;
      return toPage<'feedback'>(
        await readRows(database, feedback, { conditions, limit, after: before, ...OF_FEW }),
      );
    },

    async listIssueAttachments(scope, issue, { limit, before, filter }) {
      checkLimit(limit);
      const conditions = aboutIssue(scope, issue, 'event_id', filter);
      if (conditions === null || !(await kinds.has('attachments', scope))) return NO_PAGE;
      return toPage<'attachments'>(
        await readRows(database, attachments, { conditions, limit, after: before, ...OF_FEW }),
      );
    },
  };
}

/** What belongs to the events of one issue rarely fills a page: looking at the newest first would ask three times. */
const OF_FEW = { range: null, direction: 'newest first' } as const;

const NO_PAGE = { rows: [], next: null };
const NO_TRACE = { spans: [], hasMoreSpans: false, errors: [], hasMoreErrors: false };
const NO_COUNTS = { spans: 0, errors: 0, logs: 0, metrics: 0, operations: [], transactions: [] };
const HEX_32 = /^[0-9a-f]{32}$/;
const HEX_16 = /^[0-9a-f]{16}$/;
const SHORT_HEX = /^[0-9a-f]{1,32}$/;

/** Names of filters whose values are ids: what is none matches nothing, and need not be asked for. */
const ID_FILTERS: ReadonlySet<string> = new Set<TelemetryFilter>([
  'traceId',
  'eventId',
  'replayId',
  'associatedEventId',
  'transactionId',
  'profilerId',
]);

/** Kinds whose tables have a bloom filter of traces. */
const TRACE_IS_INDEXED: ReadonlySet<TelemetryKind> = new Set(['transactions', 'spans', 'logs', 'metrics']);

const tableOf = <Kind extends TelemetryKind>(kind: Kind): TelemetryTable<TelemetryOrigin> =>
  TABLES[kind] as TelemetryTable<TelemetryOrigin>;

function checkLimit(limit: number): void {
  if (limit > PAGE_ROWS_MAX) throw invalid(`A page can have at most ${PAGE_ROWS_MAX} rows`);
}

/** null when nothing can match. */
function filtered(
  table: TelemetryTable<TelemetryOrigin>,
  scope: EventScope,
  { filter = {}, text = '' }: TelemetryQuery,
): SqlPart | null {
  if (isEmpty(scope)) return null;
  let conditions = inScope(scope);
  for (const [name, value] of Object.entries(filter) as [TelemetryFilter, string | readonly string[]][]) {
    const column = table.filters[name];
    const values = typeof value === 'string' ? [value] : value;
    if (column === undefined || (ID_FILTERS.has(name) && !values.every((id) => HEX_32.test(id)))) return null;
    const list = listParam(`filter_${name}`, 'String', values);
    conditions = both(conditions, { sql: `${column} IN ${list.sql}`, params: list.params });
  }
  if (text === '') return conditions;
  if (table.text === undefined) return null;
  const contains = `positionCaseInsensitiveUTF8(${table.text}, {text:String}) > 0`;
  return both(conditions, { sql: contains, params: { text } });
}

/** Rows whose column names an event of the issue. null when nothing can match. */
function aboutIssue(
  scope: EventScope,
  issue: IssueEvents,
  column: string,
  filter?: EventFilter,
): SqlPart | null {
  if (!isVisible(scope, issue)) return null;
  const ids = eventIds(scope, issue, filter);
  return {
    sql: `organization_id = {organizationId:UInt64} AND project_id = {projectId:UInt64} AND ${column} IN (${ids.sql})`,
    params: ids.params,
  };
}

function toPage<Kind extends TelemetryKind>({
  rows,
  hasMore,
}: {
  rows: readonly PlacedRow<TelemetryOrigin>[];
  hasMore: boolean;
}): TelemetryPage<Kind> {
  return {
    rows: rows.map(({ row }) => row) as TelemetryRows[Kind][number][],
    next: hasMore ? (rows.at(-1)?.place ?? null) : null,
  };
}

async function readAllOf<Row extends TelemetryOrigin>(
  database: ClickhouseDatabase,
  table: TelemetryTable<Row>,
  scope: EventScope,
  of: { by: string; id: string; each: string; order: string; max: number },
): Promise<Row[]> {
  if (isEmpty(scope) || !HEX_32.test(of.id)) return [];
  const visible = inScope(scope);
  const rows = await database.query<Cells>(
    `SELECT ${table.select} FROM ${table.table}
     WHERE ${visible.sql} AND ${of.by} = {id:String}
     ORDER BY ${of.order}
     LIMIT 1 BY project_id, ${of.each}
     LIMIT ${of.max}`,
    { ...visible.params, id: of.id },
  );
  return rows.map(table.fromCells);
}
