import type { Issue } from '#domain/issues/issue.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { DAY_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { readEventsAsked } from '#product/search/open-issue-search.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import { eventScope, selectProjects } from '#product/visible-projects.ts';
import type { CountedRange, IssueActivity } from '#storage/ports/events.ts';
import type { EventExpression } from '#storage/ports/search.ts';
import { findIssueEvents } from './issue-events.ts';

/** Events are kept this long, so older ones cannot be counted. */
const ANY_TIME_MS = 90 * DAY_MS;
/** A list does not wait longer for its counts. */
const COUNTS_MS_MAX = 5_000;

type Window = { range: Range & Pick<CountedRange, 'bucketsFromMs' | 'bucketsToMs'>; bucketMs: number };

/** Events of one issue, over the range, and in the buckets of its chart. */
export type CountedEvents = { total: IssueActivity; chart: Pick<IssueActivity, 'buckets'> | null };

/** What an issue in a list comes to. */
export type IssueCounts = {
  /** In the range and the environments. */
  counted: CountedEvents;
  /** The part of it that satisfies the search; null when the search asks nothing of events. */
  filtered: CountedEvents | null;
  /** Of all stored events. */
  lifetime: IssueActivity | null;
};

/**
 * The counts of issues in a list, by issue; null while the event store is away. `range` null is any time. Throws Invalid
 * for a bad search.
 */
export async function countIssues(
  ctx: Context,
  issues: readonly Pick<Issue, 'id' | 'projectId' | 'timesSeen'>[],
  input: {
    query: string;
    projectSlugs: readonly string[];
    environments: readonly string[];
    range: Range | null;
    chart: Window | null;
    withLifetime: boolean;
  },
): Promise<ReadonlyMap<number, IssueCounts> | null> {
  requireRight(ctx, 'event:read');
  if (issues.length === 0) return new Map();
  const projects = await selectProjects(ctx, input.projectSlugs);
  const asked = await readEventsAsked(ctx, input.query, projects, input.environments);
  const scope = eventScope(
    ctx,
    projects.map(({ id }) => id),
  );
  const issueEvents = await findIssueEvents(ctx, issues);
  const anyTime = { fromMs: ctx.now() - ANY_TIME_MS, toMs: ctx.now() };
  const range = input.range ?? anyTime;
  checkRange(range);
  const isLifetime = input.range === null && asked.environment === null;
  const counts = await orUnavailable(
    Promise.all([
      countOver(asked.environment),
      asked.events === asked.environment ? null : countOver(asked.events),
      input.withLifetime && !isLifetime ? count(whole(anyTime), null) : null,
    ]),
    COUNTS_MS_MAX,
  );
  if (!counts.ok) return null;
  const [counted, filtered, lifetime] = counts.value;
  return new Map(
    issues.flatMap(({ id }, at) => {
      const own = counted(at);
      if (!own) return [];
      const all = input.withLifetime && isLifetime ? own.total : (lifetime?.[at] ?? null);
      return [[id, { counted: own, filtered: filtered?.(at) ?? null, lifetime: all }]];
    }),
  );

  /** The chart is counted with the rest where it lies within: the same rows are not read twice. */
  async function countOver(events: EventExpression | null) {
    const { chart } = input;
    // Its last bucket ends later than now: a range that lasts until now is counted up to there.
    const toMs = chart && range.toMs >= ctx.now() ? Math.max(range.toMs, chart.range.toMs) : range.toMs;
    const isWithin = chart && chart.range.fromMs >= range.fromMs && chart.range.toMs <= toMs;
    const [totals, charts] = await Promise.all([
      count(isWithin ? around(chart, { ...range, toMs }) : whole(range), events),
      chart && !isWithin ? count(chart, events) : null,
    ]);
    return (at: number): CountedEvents | null => {
      const total = totals[at];
      return total ? { total, chart: charts?.[at] ?? (chart ? total : null) } : null;
    };
  }

  function count(window: Window, events: EventExpression | null) {
    return ctx.stores.events.countActivity(
      scope,
      issueEvents,
      window.range,
      window.bucketMs,
      events ?? undefined,
    );
  }
}

/** The buckets of a window, in a range that holds more. */
const around = ({ range: { fromMs, toMs }, bucketMs }: Window, range: Range) => ({
  range: { ...range, bucketsFromMs: fromMs, bucketsToMs: toMs },
  bucketMs,
});

/** A window of one bucket. */
const whole = (range: Range): Window => ({ range, bucketMs: Math.max(1, range.toMs - range.fromMs) });
