import type { UptimeCheck, UptimeStatus } from '#domain/uptime/check.ts';
import type { UptimeIncident } from '#domain/uptime/incident.ts';
import type { UptimeMonitor } from '#domain/uptime/monitor.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { checkLimit, decodeCursor, encodeCursor } from '#product/cursor.ts';
import type { HeldStores } from '#product/stores.ts';
import { TELEMETRY_PLACE } from '#product/telemetry/telemetry.ts';
import { alignRange, checkRange, type Range } from '#product/time-buckets.ts';
import { eventScope, listVisibleProjects } from '#product/visible-projects.ts';
import type { UptimeBucket } from '#storage/ports/uptime-checks.ts';
import { findUptimeMonitor, requireUptimeRead } from './uptime-monitors.ts';

/** How far back strips of history go, and in which buckets. */
export const UPTIME_PERIODS = {
  '24h': { lengthMs: DAY_MS, bucketMs: 30 * MINUTE_MS },
  '7d': { lengthMs: 7 * DAY_MS, bucketMs: 4 * HOUR_MS },
  '30d': { lengthMs: 30 * DAY_MS, bucketMs: 12 * HOUR_MS },
  '90d': { lengthMs: 90 * DAY_MS, bucketMs: DAY_MS },
} as const;
export type UptimePeriod = keyof typeof UPTIME_PERIODS;

export type UptimeCell = Pick<UptimeBucket, 'successes' | 'failures' | 'unknown'> & {
  /** Of successful checks; null without one. */
  averageMs: number | null;
  p95Ms: number | null;
};

export type UptimeHistory = {
  fromMs: number;
  bucketMs: number;
  /** Oldest first. */
  cells: readonly UptimeCell[];
  /** Part of the checks on schedule that succeeded, 0 to 1; null without a check that tells. */
  availability: number | null;
  /** Of successful checks; null without one. */
  averageMs: number | null;
};

/** The history of monitors by their ID; those of projects that are not visible are left out. */
export async function getUptimeHistories(
  ctx: Context,
  monitors: readonly Pick<UptimeMonitor, 'id' | 'projectId'>[],
  period: UptimePeriod,
): Promise<ReadonlyMap<number, UptimeHistory>> {
  requireUptimeRead(ctx);
  const visible = new Set((await listVisibleProjects(ctx)).map(({ id }) => id));
  return await readHistories(
    { ...ctx, organizationId: ctx.organization.id },
    monitors.filter(({ projectId }) => visible.has(projectId)),
    period,
  );
}

/** As `getUptimeHistories`, for a page that has its own rights. */
export async function readHistories(
  {
    stores,
    organizationId,
    now,
  }: Pick<Context, 'now'> & {
    stores: Pick<HeldStores, 'uptimeChecks'>;
    organizationId: number;
  },
  monitors: readonly Pick<UptimeMonitor, 'id' | 'projectId'>[],
  period: UptimePeriod,
): Promise<ReadonlyMap<number, UptimeHistory>> {
  const { lengthMs, bucketMs } = UPTIME_PERIODS[period];
  // The bucket that has just begun is the last one.
  const { toMs } = alignRange({ fromMs: now(), toMs: now() + 1 }, bucketMs);
  const range = { fromMs: toMs - lengthMs, toMs };
  const buckets = await stores.uptimeChecks.countBuckets(
    { organizationId, projectIds: [...new Set(monitors.map(({ projectId }) => projectId))] },
    { monitorIds: monitors.map(({ id }) => id), range, bucketMs },
  );
  const byMonitor = Map.groupBy(buckets, ({ monitorId }) => monitorId);
  return new Map(monitors.map(({ id }) => [id, toHistory(byMonitor.get(id) ?? [], range, bucketMs)]));
}

const NO_CHECKS: UptimeCell = { successes: 0, failures: 0, unknown: 0, averageMs: null, p95Ms: null };

function toHistory(buckets: readonly UptimeBucket[], range: Range, bucketMs: number): UptimeHistory {
  const byPlace = new Map(buckets.map((each) => [each.bucket, each]));
  const count = Math.round((range.toMs - range.fromMs) / bucketMs);
  const cells = Array.from({ length: count }, (_, place): UptimeCell => byPlace.get(place) ?? NO_CHECKS);
  const successes = sum(cells, ({ successes }) => successes);
  const failures = sum(cells, ({ failures }) => failures);
  return {
    fromMs: range.fromMs,
    bucketMs,
    cells,
    availability: successes + failures === 0 ? null : successes / (successes + failures),
    averageMs:
      successes === 0 ? null : sum(cells, (cell) => (cell.averageMs ?? 0) * cell.successes) / successes,
  };
}

const sum = <Item>(items: readonly Item[], numberOf: (item: Item) => number): number =>
  items.reduce((total, item) => total + numberOf(item), 0);

/** Checks of a monitor, newest first. Throws NotFound. */
export async function listUptimeChecks(
  ctx: Context,
  input: {
    monitorId: number;
    cursor: string | null;
    limit: number;
    range?: Range | null;
    status?: UptimeStatus | null;
  },
): Promise<{ rows: readonly UptimeCheck[]; nextCursor: string | null }> {
  requireUptimeRead(ctx);
  checkLimit(input.limit);
  const range = input.range ?? null;
  if (range) checkRange(range);
  const before = decodeCursor(input.cursor, TELEMETRY_PLACE);
  const { monitor } = await findUptimeMonitor(ctx, input.monitorId);
  const { rows, next } = await ctx.stores.uptimeChecks.list(eventScope(ctx, [monitor.projectId]), {
    monitorId: monitor.id,
    limit: input.limit,
    before,
    range,
    status: input.status ?? null,
  });
  return { rows, nextCursor: next && encodeCursor(next) };
}

const INCIDENTS_LISTED_MAX = 50;

/** The newest incidents of a monitor, at most 50, that had not ended 90 days ago. Throws NotFound. */
export async function listUptimeIncidents(
  ctx: Context,
  monitorId: number,
): Promise<readonly UptimeIncident[]> {
  requireUptimeRead(ctx);
  const { monitor } = await findUptimeMonitor(ctx, monitorId);
  return await ctx.stores.uptimeIncidents.list(ctx.organization.id, {
    monitorIds: [monitor.id],
    sinceMs: ctx.now() - 90 * DAY_MS,
    limit: INCIDENTS_LISTED_MAX,
  });
}
