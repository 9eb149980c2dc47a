import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { checkRange, inRoundBuckets, type Range } from '#product/time-buckets.ts';
import { eventScope, listVisibleProjects } from '#product/visible-projects.ts';
import type { CheckInCount } from '#storage/ports/telemetry.ts';
import type { ProjectMonitor } from './monitors.ts';

export type CheckInStatus = CheckInCount['status'];

/** Check-ins of a monitor in an environment over time. */
export type MonitorTimeline = {
  monitorId: number;
  environment: string;
  /** How many began in each bucket, by status. */
  buckets: readonly Readonly<Partial<Record<CheckInStatus, number>>>[];
};

export type MonitorTimelines = {
  /** Milliseconds since the epoch, of the first bucket. */
  fromMs: number;
  bucketMs: number;
  timelines: readonly MonitorTimeline[];
};

/** How the runs of monitors went, by environment; of those in visible projects. */
export async function getMonitorTimelines(
  ctx: Context,
  monitors: readonly ProjectMonitor[],
  range: Range,
  bucketMs: number,
): Promise<MonitorTimelines> {
  requireRight(ctx, 'event:read');
  checkRange(range, bucketMs);
  const { bucketsFromMs, toMs } = inRoundBuckets(range, bucketMs, ctx.now());
  const counts = await countOf(ctx, monitors, { fromMs: bucketsFromMs, toMs }, bucketMs);
  const length = Math.ceil((toMs - bucketsFromMs) / bucketMs);
  const timelines = new Map<
    string,
    { monitorId: number; environment: string; buckets: MonitorTimeline['buckets'][number][] }
  >();
  for (const { projectId, monitorSlug, environment, bucket, status, count } of counts) {
    const monitor = monitors.find((each) => each.projectId === projectId && each.slug === monitorSlug);
    if (!monitor || bucket >= length) continue;
    const key = JSON.stringify([monitor.id, environment]);
    const known = timelines.get(key) ?? {
      monitorId: monitor.id,
      environment,
      buckets: Array.from({ length }, () => ({})),
    };
    timelines.set(key, known);
    known.buckets[bucket] = { ...known.buckets[bucket], [status]: count };
  }
  return { fromMs: bucketsFromMs, bucketMs, timelines: [...timelines.values()] };
}

export type MonitorStats = {
  /** How many runs ended well, and how many ended or were missed. */
  ok: number;
  ended: number;
  /** Milliseconds; null when no run said how long it took. */
  averageDurationMs: number | null;
  /** One for each bucket of the range. */
  buckets: readonly {
    /** Milliseconds since the epoch. */
    fromMs: number;
    counts: Readonly<Partial<Record<CheckInStatus, number>>>;
    averageDurationMs: number | null;
  }[];
};

/** How the runs of a monitor went, over all environments or the given ones. */
export async function getMonitorStats(
  ctx: Context,
  monitor: ProjectMonitor,
  input: { range: Range; bucketMs: number; environments: readonly string[] },
): Promise<MonitorStats> {
  requireRight(ctx, 'event:read');
  const { range, bucketMs, environments } = input;
  checkRange(range, bucketMs);
  const all = await countOf(ctx, [monitor], range, bucketMs);
  const counts = all.filter((row) => environments.length === 0 || environments.includes(row.environment));
  const length = Math.ceil((range.toMs - range.fromMs) / bucketMs);
  const ended = counts.filter(({ status }) => status !== 'in_progress' && status !== 'unknown');
  return {
    ok: sum(ended.filter(({ status }) => status === 'ok')),
    ended: sum(ended),
    averageDurationMs: averageOf(counts),
    buckets: Array.from({ length }, (_, index) => {
      const own = counts.filter(({ bucket }) => bucket === index);
      const byStatus = Map.groupBy(own, ({ status }) => status);
      return {
        fromMs: range.fromMs + index * bucketMs,
        counts: Object.fromEntries([...byStatus].map(([status, rows]) => [status, sum(rows)])),
        averageDurationMs: averageOf(own),
      };
    }),
  };
}

async function countOf(
  ctx: Context,
  monitors: readonly ProjectMonitor[],
  range: Range,
  bucketMs: number,
): Promise<readonly CheckInCount[]> {
  const projects = await listVisibleProjects(ctx);
  return await ctx.stores.telemetry.countCheckIns(
    eventScope(
      ctx,
      projects.filter(({ id }) => monitors.some(({ projectId }) => projectId === id)),
    ),
    { monitors: monitors.map(({ projectId, slug }) => ({ projectId, slug })), range, bucketMs },
  );
}

const sum = (rows: readonly CheckInCount[]): number => rows.reduce((total, { count }) => total + count, 0);

function averageOf(rows: readonly CheckInCount[]): number | null {
  const timed = rows.reduce((total, row) => total + row.timed, 0);
  return timed === 0 ? null : rows.reduce((total, row) => total + row.durationMs, 0) / timed;
}
