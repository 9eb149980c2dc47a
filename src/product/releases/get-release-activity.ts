import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { alignRange, checkRange, chooseBucketMs, type Range } from '#product/time-buckets.ts';
import { eventScope, selectProjects } from '#product/visible-projects.ts';
import type { EventGroup, EventTrend } from '#storage/ports/event-explore.ts';
import { environmentParts, ofReleases } from './release-row.ts';

const ENVIRONMENTS_MAX = 20;

export type ReleaseActivity = {
  trend: EventTrend & { range: Range; bucketMs: number };
  /** Most events first, at most 20; the empty one is of events without an environment. */
  environments: readonly EventGroup[];
};

/** Events of a release over the whole buckets of a range, and the environments that they came from. */
export async function getReleaseActivity(
  ctx: Context,
  input: {
    version: string;
    projectSlugs: readonly string[];
    environments: readonly string[];
    range: Range;
  },
): Promise<ReleaseActivity> {
  requireRight(ctx, 'event:read');
  checkRange(input.range);
  const projects = await selectProjects(ctx, input.projectSlugs);
  const scope = eventScope(
    ctx,
    projects.map((project) => project.id),
  );
  const bucketMs = chooseBucketMs(input.range);
  const range = alignRange(input.range, bucketMs);
  const ofRelease = ofReleases([input.version]);
  const [trend, { groups }] = await Promise.all([
    ctx.stores.eventExplore.countOverTime(
      scope,
      { range, expression: { kind: 'and', parts: [ofRelease, ...environmentParts(input.environments)] } },
      bucketMs,
    ),
    ctx.stores.eventExplore.groupBy(
      scope,
      { range: input.range, expression: ofRelease },
      { kind: 'column', name: 'environment' },
      { sort: 'events', isDescending: true, limit: ENVIRONMENTS_MAX, offset: 0 },
    ),
  ]);
  return { trend: { ...trend, range, bucketMs }, environments: groups };
}
