import type { Context } from '#product/context.ts';
import { alignRange, chooseBucketMs } from '#product/time-buckets.ts';
import { eventScope } from '#product/visible-projects.ts';
import { sessionsOf } from './read-adoption.ts';
import type { Release } from './release.ts';
import { environmentParts, ofReleases, type ReleaseScope } from './release-row.ts';

const POINTS_MAX = 10_000;

/** Sessions of each release in the whole buckets of a range, by version; without any, it is left out. */
export async function readSessionTrends(
  ctx: Context,
  { projects, environments, range }: ReleaseScope,
  releases: readonly Release[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const trends = new Map<string, number[]>();
  if (releases.length === 0) return trends;
  const bucketMs = chooseBucketMs(range);
  const whole = alignRange(range, bucketMs);
  const versions = releases.map(({ version }) => version);
  const points = await ctx.stores.telemetry.countSessions(eventScope(ctx, projects), {
    range: whole,
    expression: { kind: 'and', parts: [ofReleases(versions), ...environmentParts(environments)] },
    groupBy: ['release'],
    groups: null,
    bucketMs,
    limit: POINTS_MAX,
  });
  const length = Math.ceil((whole.toMs - whole.fromMs) / bucketMs);
  for (const point of points) {
    const [version = ''] = point.keys;
    const trend = trends.get(version) ?? Array<number>(length).fill(0);
    trends.set(version, trend);
    trend[point.bucket] = sessionsOf(point);
  }
  return trends;
}
