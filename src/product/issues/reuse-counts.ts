import { MINUTE_MS } from '#lib/time.ts';
import type {
  CountedRange,
  EventScope,
  EventStore,
  IssueActivity,
  IssueEvents,
} from '#storage/ports/events.ts';
import type { EventExpression } from '#storage/ports/search.ts';

/** Issues with fewer events in what is counted are counted at every read. */
const EVENTS_MIN = 10_000;
/** What counts may lack, as a share of the events and of the range: beyond the first they are made anew beside the read that gets them. */
const LACK_RENEWED = 0.01;
const LACK_MAX = 0.02;
/** The same by their age. */
const AGE_MS_RENEWED = MINUTE_MS;
const AGE_MS_MAX = 2 * MINUTE_MS;
/** Counts of an issue that are kept, of about a kilobyte each. */
const COUNTS_KEPT_MAX = 2_000;
/** Ranges that last until now are the same range when their beginnings differ less. */
const SLIDE_MS = 10_000;

type Kept = { activity: IssueActivity; countedAt: number; storedEvents: number; isRenewing: boolean };

/**
 * The store, with counts of issues of many events that are reused until a hundredth of them came since: who reads a list again, or
 * reads the list that others read, does not wait until hundreds of thousands of rows are counted. An issue has other counts once
 * other hashes are part of it, or events are taken from it, so what was merged, split or deleted is counted at once.
 */
export function reuseCounts(events: EventStore, now: () => number): EventStore {
  const kept = new Map<string, Kept>();
  return { ...events, countActivity };

  async function countActivity(
    scope: EventScope,
    issues: readonly IssueEvents[],
    range: CountedRange,
    bucketMs: number,
    expression?: EventExpression,
  ): Promise<readonly IssueActivity[]> {
    const nowMs = now();
    const question = questionOf(scope, range, bucketMs, expression, nowMs);
    const known = issues.map((issue) => {
      const found = scope.projectIds.includes(issue.projectId) ? kept.get(question(issue)) : undefined;
      return found && isWithin(found, issue, LACK_MAX, AGE_MS_MAX) ? found : null;
    });
    const renewed = issues.filter((issue, at) => {
      const found = known[at];
      return found && !found.isRenewing && !isWithin(found, issue, LACK_RENEWED, AGE_MS_RENEWED);
    });
    if (renewed.length > 0) void renew(renewed);
    const missing = issues.filter((_, at) => known[at] === null);
    const counted = missing.length > 0 ? await count(missing) : [];
    const missed = counted.values();
    return issues.map((issue, at) => {
      const activity = known[at]?.activity ?? missed.next().value;
      if (!activity) throw new Error(`The issue ${issue.issueId} was not counted`);
      return { ...activity, issueId: issue.issueId };
    });

    function isWithin(
      found: Kept,
      { storedEvents }: IssueEvents,
      lackMax: number,
      ageMsMax: number,
    ): boolean {
      if (storedEvents === undefined || storedEvents < found.storedEvents) return false;
      const ageMs = nowMs - found.countedAt;
      const came = (storedEvents - found.storedEvents) / found.activity.events;
      return Math.max(came, ageMs / (range.toMs - range.fromMs)) <= lackMax && ageMs <= ageMsMax;
    }

    async function count(some: readonly IssueEvents[]): Promise<readonly IssueActivity[]> {
      const countedAt = now();
      const activities = await events.countActivity(scope, some, range, bucketMs, expression);
      for (const [at, activity] of activities.entries()) {
        const issue = some[at];
        if (issue?.storedEvents === undefined || activity.events < EVENTS_MIN) continue;
        const { storedEvents } = issue;
        keep(question(issue), { activity, countedAt, storedEvents, isRenewing: false });
      }
      return activities;
    }

    async function renew(some: readonly IssueEvents[]): Promise<void> {
      const entries = some.flatMap((issue) => kept.get(question(issue)) ?? []);
      for (const entry of entries) entry.isRenewing = true;
      try {
        await count(some);
      } catch {
        // The read that comes after they are too old asks again, and says what is wrong.
      } finally {
        for (const entry of entries) entry.isRenewing = false;
      }
    }
  }

  function keep(question: string, counts: Kept): void {
    kept.delete(question);
    const oldest = kept.keys().next();
    if (kept.size >= COUNTS_KEPT_MAX && !oldest.done) kept.delete(oldest.value);
    kept.set(question, counts);
  }
}

/** The same text for what has the same counts, but for the seconds between. */
function questionOf(
  { organizationId }: EventScope,
  { fromMs, toMs, bucketsFromMs = fromMs, bucketsToMs = toMs }: CountedRange,
  bucketMs: number,
  expression: EventExpression | undefined,
  nowMs: number,
): (issue: IssueEvents) => string {
  const buckets = Math.ceil((bucketsToMs - bucketsFromMs) / bucketMs);
  // Of a range that lasts until now, what is not at the end of a bucket moves along.
  const placeOf = (ms: number) =>
    toMs >= nowMs - SLIDE_MS && ms % bucketMs !== 0 ? `-${Math.round((nowMs - ms) / SLIDE_MS)}` : ms;
  const moments = [fromMs, toMs, bucketsFromMs, bucketsToMs].map(placeOf);
  const size = buckets === 1 ? null : bucketMs;
  const asked = JSON.stringify([organizationId, moments, buckets, size, expression]);
  return ({ projectId, hashes }) => `${asked} ${projectId} ${hashes.join()}`;
}
