import { type Kysely, type RawBuilder, sql } from 'kysely';
import { invalid } from '#lib/errors.ts';
import { HOUR_MS } from '#lib/time.ts';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';

const BUCKETS_MAX = 5_000;
const SERIES_MAX = 1_000;
const PROJECT_SERIES_MAX = 5_000;

export function createOutcomeStore(db: Kysely<Database>) {
  return {
    /** Keys of the project that something was sent with since a time, in milliseconds. */
    listKeyUse: (organizationId: number, projectId: number, sinceMs: number): Promise<readonly KeyUse[]> =>
      query<KeyUse>`
        SELECT key_id, max(hour) FILTER (WHERE outcome = 'accepted') AS accepted_at,
          max(hour) FILTER (WHERE reason = 'disabled_key') AS refused_at,
          coalesce(sum(quantity) FILTER (WHERE reason = 'disabled_key'), 0)::bigint AS refused
        FROM outcomes_hourly
        WHERE organization_id = ${organizationId} AND project_id = ${projectId} AND key_id <> 0
          AND hour >= ${new Date(sinceMs)}
        GROUP BY key_id`.execute(db),

    /** Half-open range in milliseconds; `bucketMs` is a whole number of hours. */
    async series(
      organizationId: number,
      projectIds: readonly number[],
      range: { fromMs: number; toMs: number },
      bucketMs: number,
    ): Promise<readonly OutcomeSeries[]> {
      const rows = await readBuckets(db, { organizationId, projectIds }, range, bucketMs, sql`0::bigint`);
      const series = toSeries(rows, countBuckets(range, bucketMs), SERIES_MAX);
      return series.map(({ projectId: _, ...each }) => each);
    },

    /** As `series`, of each project by itself. */
    async seriesByProject(
      organizationId: number,
      projectIds: readonly number[],
      range: { fromMs: number; toMs: number },
      bucketMs: number,
    ): Promise<readonly ProjectOutcomeSeries[]> {
      const rows = await readBuckets(db, { organizationId, projectIds }, range, bucketMs, sql`project_id`);
      return toSeries(rows, countBuckets(range, bucketMs), PROJECT_SERIES_MAX);
    },
  };
}

export type OutcomeStore = ReturnType<typeof createOutcomeStore>;

type Range = { fromMs: number; toMs: number };

const countBuckets = (range: Range, bucketMs: number): number =>
  Math.ceil((range.toMs - range.fromMs) / bucketMs);

/** Throws Invalid for buckets of other than whole hours, and for too many. */
async function readBuckets(
  db: Kysely<Database>,
  { organizationId, projectIds }: { organizationId: number; projectIds: readonly number[] },
  range: Range,
  bucketMs: number,
  project: RawBuilder<unknown>,
): Promise<readonly OutcomeRow[]> {
  const bucketCount = countBuckets(range, bucketMs);
  if (!(bucketMs > 0 && bucketMs % HOUR_MS === 0)) throw invalid('A bucket must be a whole number of hours');
  if (!(bucketCount > 0 && bucketCount <= BUCKETS_MAX)) {
    throw invalid(`The range must make between 1 and ${BUCKETS_MAX} buckets: choose larger ones`);
  }
  const firstHourMs = Math.floor(range.fromMs / HOUR_MS) * HOUR_MS;
  return await query<OutcomeRow>`
    SELECT project_id, category, outcome, reason, bucket, sum(quantity)::bigint AS quantity
    FROM (
      SELECT ${project} AS project_id, category, outcome, reason, quantity,
        greatest(0, floor((extract(epoch FROM hour) * 1000 - ${range.fromMs}::bigint) / ${bucketMs}::bigint))::int AS bucket
      FROM outcomes_hourly
      WHERE organization_id = ${organizationId} AND project_id = ANY(${projectIds}::bigint[])
        AND hour >= ${new Date(firstHourMs)} AND hour < ${new Date(range.toMs)}
    ) AS counted
    GROUP BY project_id, category, outcome, reason, bucket
    ORDER BY project_id, category, outcome, reason`.execute(db);
}

type OutcomeRow = {
  projectId: number;
  category: string;
  outcome: string;
  reason: string;
  bucket: number;
  quantity: number;
};

function toSeries(
  rows: readonly OutcomeRow[],
  bucketCount: number,
  seriesMax: number,
): ProjectOutcomeSeries[] {
  const series = new Map<string, ProjectOutcomeSeries & { buckets: number[] }>();
  for (const { projectId, category, outcome, reason, bucket, quantity } of rows) {
    const key = JSON.stringify([projectId, category, outcome, reason]);
    let entry = series.get(key);
    if (!entry) {
      if (series.size === seriesMax) break;
      const buckets = Array<number>(bucketCount).fill(0);
      entry = { projectId, category, outcome, reason, buckets, total: 0 };
      series.set(key, entry);
    }
    entry.buckets[bucket] = (entry.buckets[bucket] ?? 0) + quantity;
    entry.total += quantity;
  }
  return [...series.values()];
}

export type OutcomeSeries = {
  category: string;
  outcome: string;
  reason: string;
  /** One per bucket, oldest first. */
  buckets: readonly number[];
  total: number;
};

/** Outcomes, counted by the hour in the same transaction as the events they tell of. */
/** When a client key was used last; hours begin at these times. */
export type KeyUse = {
  keyId: number;
  /** null when nothing was accepted in the time that was asked for. */
  acceptedAt: number | null;
  /** Of what was refused because the key is disabled; null when nothing was. */
  refusedAt: number | null;
  refused: number;
};

export type ProjectOutcomeSeries = OutcomeSeries & { projectId: number };
