import { invalid } from '#lib/errors.ts';
import type {
  CountedRange,
  EventScope,
  IssueActivity,
  IssueEvents,
  IssueRanking,
  TimeRange,
} from '#storage/ports/events.ts';
import type { EventExpression } from '#storage/ports/search.ts';
import type { ClickhouseDatabase } from './client.ts';
import { placesOf } from './issue-places.ts';
import { both, IN_RANGE, type SqlPart, unhex } from './query-params.ts';
import { indexedRows, isIndexed } from './search/indexed-fields.ts';
import { matchEvents } from './search/match-events.ts';
import { limitsOf, searching } from './search/search-limits.ts';

/** Issues whose events are counted in one query. */
const ISSUES_PER_QUERY_MAX = 1_000;
/** Buckets of one activity chart. */
const BUCKETS_MAX = 5_000;

export async function countActivity(
  database: ClickhouseDatabase,
  scope: EventScope,
  issues: readonly IssueEvents[],
  { fromMs, toMs, bucketsFromMs = fromMs, bucketsToMs = toMs }: CountedRange,
  bucketMs: number,
  expression?: EventExpression,
): Promise<readonly IssueActivity[]> {
  const bucketCount = Math.ceil((bucketsToMs - bucketsFromMs) / bucketMs);
  if (!(bucketMs >= 1 && bucketCount >= 1 && bucketCount <= BUCKETS_MAX)) {
    throw invalid(`The range must make between 1 and ${BUCKETS_MAX} buckets: choose larger ones`);
  }
  const activity = issues.map(({ issueId }) => ({
    issueId,
    buckets: Array<number>(bucketCount).fill(0),
    events: 0,
    users: 0,
    firstSeen: null as number | null,
    lastSeen: null as number | null,
  }));
  const asked = askedRows(scope, issues, expression);
  if (!asked) return activity;
  const { hash, from, issueOf } = asked;
  // Rows are many, hashes with their buckets are few: only these are told apart by issue. Users are no sum of buckets. A
  // condition on the issue would be asked of each row, so rows of none (0) come along, and are left out here.
  const rows = await searching(
    database.query<ActivityRow>(
      `SELECT ${issueOf.sql} AS issue, groupArray(bucket) AS buckets, groupArray(some) AS events,
         uniqExactMerge(people) AS users, min(first) AS firstSeen, max(last) AS lastSeen
       FROM (
         WITH toUnixTimestamp64Milli(occurred_at) AS at
         SELECT project_id, ${hash} AS grouping_hash,
           if(at >= {bucketsFromMs:Int64} AND at < {bucketsToMs:Int64},
             intDiv(at - {bucketsFromMs:Int64}, {bucketMs:Int64}), -1) AS bucket,
           uniqExact(${EVENT_HASH}) AS some,
           uniqExactStateIf(user_hash, user_hash != 0) AS people,
           toUnixTimestamp64Milli(min(occurred_at)) AS first, toUnixTimestamp64Milli(max(occurred_at)) AS last
         FROM ${from.sql} AND ${IN_RANGE} GROUP BY project_id, grouping_hash, bucket
       )
       GROUP BY issue ${limitsOf({ expression })}`,
      { ...from.params, ...issueOf.params, fromMs, toMs, bucketsFromMs, bucketsToMs, bucketMs },
    ),
  );
  for (const { issue, buckets, events, users, firstSeen, lastSeen } of rows) {
    const entry = activity[issue - 1];
    if (!entry) continue;
    Object.assign(entry, { users, firstSeen, lastSeen });
    for (const [at, bucket] of buckets.entries()) {
      // A bucket comes once for every hash of the issue.
      const some = events[at] ?? 0;
      if (bucket >= 0) entry.buckets[bucket] = (entry.buckets[bucket] ?? 0) + some;
      entry.events += some;
    }
  }
  return activity;
}

export async function rankIssues(
  database: ClickhouseDatabase,
  scope: EventScope,
  issues: readonly IssueEvents[],
  range: TimeRange,
  by: IssueRanking,
  expression?: EventExpression,
): Promise<readonly number[]> {
  const asked = askedRows(scope, issues, expression);
  if (!asked) return [];
  const { hash, from, issueOf } = asked;
  const recentMs = range.toMs - (range.toMs - range.fromMs) / 4;
  const rows = await searching(
    database.query<{ issue: number }>(
      `SELECT ${issueOf.sql} AS issue FROM (
         SELECT project_id, ${hash} AS grouping_hash, count() AS events,
           countIf(occurred_at >= fromUnixTimestamp64Milli({recentMs:Int64}, 'UTC')) AS recent,
           uniqStateIf(user_hash, user_hash != 0) AS people
         FROM ${from.sql} AND ${IN_RANGE} GROUP BY project_id, grouping_hash
       )
       GROUP BY issue
       ORDER BY ${RANKS[by]} DESC, sum(events) DESC, issue ${limitsOf({ expression })}`,
      { ...from.params, ...issueOf.params, ...range, recentMs: Math.trunc(recentMs) },
    ),
  );
  return rows.flatMap(({ issue }) => issues[issue - 1]?.issueId ?? []);
}

const RANKS: Readonly<Record<IssueRanking, string>> = {
  events: 'sum(events)',
  users: 'uniqMerge(people)',
  trend: 'toInt64(sum(recent)) - toInt64(sum(events) - sum(recent)) / 3',
};

type AskedRows = {
  /** The grouping hash of a row as the index has it, a number. */
  hash: string;
  /** What stands after FROM, with the conditions. */
  from: SqlPart;
  /** Of which issue a row is, by `project_id` and the number `grouping_hash`. */
  issueOf: SqlPart;
};

/** Rows of the issues; of the table of events when they are asked what the index does not know. null for none. */
function askedRows(
  scope: EventScope,
  issues: readonly IssueEvents[],
  expression: EventExpression | undefined,
): AskedRows | null {
  if (issues.length > ISSUES_PER_QUERY_MAX) {
    throw invalid(`Events are counted for at most ${ISSUES_PER_QUERY_MAX} issues at once`);
  }
  const indexed = placesOf(scope, issues, 'event_index');
  if (!indexed) return null;
  const { issueOf } = indexed;
  if (isIndexed(expression)) {
    const { sql, params } = expression ? both(indexed.where, matchEvents(expression)) : indexed.where;
    const from = { sql: `event_index WHERE ${sql} AND ${indexedRows(expression)}`, params };
    return { hash: 'grouping_hash', from, issueOf };
  }
  if (!expression) return null;
  const stored = placesOf(scope, issues, 'events');
  if (!stored) return null;
  const { sql, params } = both(stored.where, matchEvents(expression));
  return {
    hash: unhex('events.grouping_hash'),
    from: { sql: `events WHERE ${sql}`, params },
    issueOf,
  };
}

/**
 * Tells the events of one bucket apart, in less time than whole ids do. A half of them would not: of what is numbered, or made
 * of a clock and the address of a machine (UUID version 1), one half is always the same.
 */
const EVENT_HASH = 'cityHash64(event_id)';

type ActivityRow = {
  issue: number;
  buckets: number[];
  events: number[];
  users: number;
  firstSeen: number;
  lastSeen: number;
};
