import { TupleParam } from '@clickhouse/client';
import type { DigestedCheckIn } from '#protocol/telemetry.ts';
import type { EventScope } from '#storage/ports/events.ts';
import type {
  CheckInSummary,
  SummaryPage,
  TelemetryCursor,
  TelemetrySummaries,
} from '#storage/ports/telemetry.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { both, inScope, listParam, type SqlPart } from '../query-params.ts';
import {
  NO_ID,
  nameById,
  nameOfCheckIn,
  PAIRED_WITHIN_MS,
  type PairedCheckIns,
  pairCheckIns,
} from './pair-check-ins.ts';
import { type PlacedRow, readNewestRows, readRows } from './read-rows.ts';
import { checkIns } from './tables.ts';

/** Queries for one page: with very many updates of a check-in, the page ends early and the next one continues. */
const ROUNDS_MAX = 10;

/**
 * A check-in stands where its first update does. Updates are read newest first; those of them that are the first of
 * their check-in make the page.
 */
export async function readCheckIns(
  database: ClickhouseDatabase,
  scope: EventScope,
  { monitorSlug, environments = [], limit, before, range }: Parameters<TelemetrySummaries['listCheckIns']>[1],
): Promise<SummaryPage<CheckInSummary>> {
  let conditions = inScope(scope);
  if (monitorSlug !== null) {
    conditions = both(conditions, { sql: 'monitor_slug = {monitorSlug:String}', params: { monitorSlug } });
  }
  if (environments.length > 0) {
    const list = listParam('environments', 'String', environments);
    conditions = both(conditions, { sql: `environment IN ${list.sql}`, params: list.params });
  }
  const rows: CheckInSummary[] = [];
  let cursor = before;
  let next: TelemetryCursor | null = null;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const page = await readNewestRows(database, checkIns, { conditions, limit, after: cursor, range });
    const summaries = await summarize(database, conditions, page.rows);
    const pairs = await readPairs(database, conditions, page.rows, summaries);
    for (const [index, { row, place }] of page.rows.entries()) {
      const name = nameOfCheckIn(row);
      const found = row.checkInId === NO_ID ? { ...row, ...aloneAt(row, place) } : summaries.get(name);
      const isFirst = found?.startedAt === row.occurredAt && found.firstRowId === place.id;
      if (found && isFirst && !pairs.isEnd.has(name)) rows.push(toSummary(found, pairs.ends.get(name)));
      if (rows.length === limit) {
        return { rows, next: page.hasMore || index < page.rows.length - 1 ? place : null };
      }
    }
    next = page.hasMore ? (page.rows.at(-1)?.place ?? null) : null;
    if (next === null) break;
    cursor = next;
  }
  return { rows, next };
}

/** Updates around a page of which those without an id are paired; a page with more before and after them leaves some alone. */
const NEIGHBORS_MAX = 10_000;
const NO_PAIRS: PairedCheckIns = { ends: new Map(), isEnd: new Set() };

/** Which check-ins of a page an update without an id has ended, or is itself the end of an earlier one. */
async function readPairs(
  database: ClickhouseDatabase,
  conditions: SqlPart,
  updates: readonly PlacedRow<DigestedCheckIn>[],
  summaries: ReadonlyMap<string, FirstOf>,
): Promise<PairedCheckIns> {
  const unsettled = updates
    .map(({ row }) => row)
    .filter((row) => row.checkInId === NO_ID || summaries.get(nameOfCheckIn(row))?.status === 'in_progress');
  if (unsettled.length === 0) return NO_PAIRS;
  const monitors = listParam(
    'monitors',
    'Tuple(UInt64, String)',
    [...new Map(unsettled.map((row) => [`${row.projectId}:${row.monitorSlug}`, row])).values()].map(
      ({ projectId, monitorSlug }) => new TupleParam([projectId, monitorSlug]),
    ),
  );
  const times = unsettled.map(({ occurredAt }) => occurredAt);
  const { rows } = await readRows(database, checkIns, {
    conditions: both(conditions, {
      sql: `(project_id, monitor_slug) IN ${monitors.sql}`,
      params: monitors.params,
    }),
    limit: NEIGHBORS_MAX,
    after: null,
    range: {
      fromMs: Math.min(...times) - PAIRED_WITHIN_MS,
      toMs: Math.max(...times) + PAIRED_WITHIN_MS + 1,
    },
    direction: 'oldest first',
  });
  return pairCheckIns(rows.map(({ row }) => row));
}

/** An update without an id, as a check-in of its own. */
const aloneAt = ({ occurredAt }: DigestedCheckIn, place: TelemetryCursor) => ({
  startedAt: occurredAt,
  updatedAt: occurredAt,
  firstRowId: place.id,
});

function toSummary(first: FirstOf, end: DigestedCheckIn | undefined): CheckInSummary {
  const { projectId, checkInId, monitorSlug, environment, startedAt } = first;
  return {
    projectId,
    checkInId,
    monitorSlug,
    environment,
    status: end?.status ?? first.status,
    durationMs: end?.durationMs ?? first.durationMs,
    traceId: first.traceId ?? end?.traceId ?? null,
    monitorConfig: end?.monitorConfig ?? first.monitorConfig,
    startedAt,
    updatedAt: Math.max(first.updatedAt, end?.occurredAt ?? 0),
  };
}

/** The update that says how a check-in ended: one that comes when its time was over does not change that. */
export const UPDATE_RANK = `(status = 'timeout', status NOT IN ('in_progress', 'unknown'), status != 'in_progress',
  occurred_at, received_at)`;

type FirstOf = CheckInSummary & { firstRowId: string };

async function summarize(
  database: ClickhouseDatabase,
  conditions: SqlPart,
  updates: readonly PlacedRow<DigestedCheckIn>[],
): Promise<ReadonlyMap<string, FirstOf>> {
  const known = updates.filter(({ row }) => row.checkInId !== NO_ID);
  if (known.length === 0) return new Map();
  const ids = listParam(
    'ids',
    'Tuple(UInt64, FixedString(32))',
    [...new Map(known.map(({ row }) => [`${row.projectId}:${row.checkInId}`, row])).values()].map(
      ({ projectId, checkInId }) => new TupleParam([projectId, checkInId]),
    ),
  );
  const found = await database.query<FirstRow>(
    `SELECT project_id AS projectId, check_in_id AS checkInId, monitor_slug AS monitorSlug,
       argMax(environment, rank) AS last_environment,
       argMax(status, rank) AS last_status,
       argMaxIf(duration_ms, rank, duration_ms IS NOT NULL) AS durationMs,
       argMaxIf(trace_id, rank, trace_id != '') AS traceId,
       argMaxIf(monitor_config, rank, monitor_config != '') AS last_config,
       toUnixTimestamp64Milli(min(occurred_at)) AS startedAt,
       toUnixTimestamp64Milli(max(occurred_at)) AS updatedAt,
       argMin(${checkIns.rowId}, (occurred_at, ${checkIns.rowId})) AS firstRowId
     FROM (
       SELECT *, ${UPDATE_RANK} AS rank FROM check_ins
       WHERE ${conditions.sql} AND (project_id, check_in_id) IN ${ids.sql}
     )
     GROUP BY project_id, monitor_slug, check_in_id`,
    { ...conditions.params, ...ids.params },
  );
  return new Map(
    found.map(({ last_environment, last_status, last_config, ...row }) => [
      nameById(row),
      {
        ...row,
        environment: last_environment,
        status: last_status,
        traceId: row.traceId || null,
        monitorConfig: last_config === '' ? null : JSON.parse(last_config),
      },
    ]),
  );
}

/** Names that are columns as well would change other expressions. */
type FirstRow = Omit<FirstOf, 'environment' | 'status' | 'monitorConfig'> & {
  last_environment: string;
  last_status: CheckInSummary['status'];
  last_config: string;
};
