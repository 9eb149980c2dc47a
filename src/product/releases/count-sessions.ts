import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { openNarrowSearch, SESSION_FIELDS } from '#product/search/narrow-search.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import { eventScope, selectProjects } from '#product/visible-projects.ts';
import type { SessionGroup, SessionKey } from '#storage/ports/telemetry.ts';

/** Groups that are sorted: those with the most sessions. */
const SESSION_GROUPS_MAX = 1_000;
/** Numbers of one answer: groups times buckets. */
const SESSION_POINTS_MAX = 100_000;

/** Where no session began, there are none, and no share of them. */
export const NO_SESSIONS: SessionGroup = {
  ...{ keys: [], bucket: 0, exited: 0, errored: 0, crashed: 0, abnormal: 0, unhandled: 0, users: 0 },
  ...{ crashedUsers: 0, hungUsers: 0, hungForegroundUsers: 0, aggregated: 0, durations: null },
};

export type CountedSessions = {
  /** In the order that was asked for. */
  groups: readonly (SessionGroup & {
    /** Of every bucket, null where no session began. */
    series: readonly (SessionGroup | null)[];
  })[];
};

/**
 * Sessions that began in the range, by any of project, release and environment, as a whole and over time. Without
 * `bucketMs` there is one bucket. Throws Invalid for a search of anything else, and NotFound.
 */
export async function countSessions(
  ctx: Context,
  input: {
    query: string;
    projectSlugs: readonly string[];
    environments: readonly string[];
    range: Range;
    groupBy: readonly SessionKey[];
    bucketMs: number | null;
    /** By this number of each group, and null for the most sessions. */
    sortBy: ((group: SessionGroup) => number | null) | null;
    isDescending: boolean;
    limit: number;
  },
): Promise<CountedSessions> {
  requireRight(ctx, 'event:read');
  const { range, groupBy, bucketMs, sortBy } = input;
  checkRange(range, bucketMs ?? undefined);
  const buckets = bucketMs === null ? 1 : Math.ceil((range.toMs - range.fromMs) / bucketMs);
  if (buckets * input.limit > SESSION_POINTS_MAX) {
    throw invalid('These are too many numbers: ask for fewer groups, or for a longer interval', 'interval');
  }
  const projects = await selectProjects(ctx, input.projectSlugs);
  const expression = await openNarrowSearch(ctx, { ...input, projects }, SESSION_FIELDS);
  const scope = eventScope(ctx, projects);
  const asked = { range, expression, groupBy };
  const all = await ctx.stores.telemetry.countSessions(scope, {
    ...asked,
    groups: null,
    bucketMs: null,
    limit: SESSION_GROUPS_MAX,
  });
  const sorted = sortBy ? all.toSorted((a, b) => compare(sortBy(a), sortBy(b), input.isDescending)) : all;
  const chosen = sorted.slice(0, input.limit);
  const points =
    bucketMs === null || chosen.length === 0
      ? chosen
      : await ctx.stores.telemetry.countSessions(scope, {
          ...asked,
          groups: chosen.map(({ keys }) => keys),
          bucketMs,
          limit: SESSION_POINTS_MAX,
        });
  const byGroup = Map.groupBy(points, ({ keys }) => JSON.stringify(keys));
  return {
    groups: chosen.map((group) => {
      const series = Array<SessionGroup | null>(buckets).fill(null);
      for (const point of byGroup.get(JSON.stringify(group.keys)) ?? []) series[point.bucket] = point;
      return { ...group, series };
    }),
  };
}

/** Groups without the number are last in either order. */
function compare(a: number | null, b: number | null, isDescending: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return isDescending ? b - a : a - b;
}
