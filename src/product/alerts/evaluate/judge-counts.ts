import { isErrataError } from '#lib/errors.ts';
import type { Log } from '#lib/log.ts';
import type { AlertFilter } from '#storage/ports/alert-rules.ts';
import type { WindowCount } from '#storage/ports/alerts.ts';
import type { Issue } from '#storage/ports/issues.ts';
import type { Stores } from '#storage/ports/stores.ts';
import type { AlertCase } from './alert-case.ts';
import type { CountMemory } from './count-memory.ts';

const MINUTE_MS = 60_000;
/** Events may be dated a little ahead of the edge's clock. */
const AHEAD_MS = 5 * MINUTE_MS;

type CountFilter = Extract<AlertFilter, { kind: 'event_count' | 'user_count' }>;
type Question = { one: AlertCase; filter: CountFilter; key: string };

const isCount = (filter: AlertFilter): filter is CountFilter =>
  filter.kind === 'event_count' || filter.kind === 'user_count';

export type CountParts = { stores: Pick<Stores, 'alertEvents'>; counts: CountMemory; log: Log };

/** Answers the filters that count: one look at the events for each length of a window and each environment. */
export async function askCounts(
  parts: CountParts,
  organizationId: number,
  cases: readonly AlertCase[],
  hashes: ReadonlyMap<number, readonly string[]>,
  nowMs: number,
): Promise<void> {
  const open = cases.flatMap((one) => questionsOf(one).filter((each) => !isAnswered(parts, each, nowMs)));
  const groups = Map.groupBy(open, ({ one, filter }) => `${filter.minutes} ${one.rule.environment ?? ''}`);
  for (const group of groups.values()) {
    const issues = [...new Map(group.map(({ one }) => [one.issue.id, one.issue])).values()];
    const counts = await countIssues(parts, organizationId, group[0]!, issues, hashes, nowMs);
    for (const { one, filter, key } of group) {
      const count = counts?.get(one.issue.id)?.[filter.kind === 'event_count' ? 'events' : 'users'];
      // Too many to be counted are more than were asked for.
      one.answers.set(filter, count === undefined || count > filter.above);
      if (count !== undefined) parts.counts.note(key, count, one.issue.timesSeen, nowMs);
    }
  }
}

const questionsOf = (one: AlertCase): readonly Question[] =>
  one.rule.definition.filters.flatMap((filter, index) =>
    isCount(filter) && !one.answers.has(filter)
      ? { one, filter, key: `${one.rule.id}:${one.rule.updatedAt}:${index}:${one.issue.id}` }
      : [],
  );

/** What was not seen so often in all, and by so many, was not so often in the window. */
function isAnswered({ counts }: CountParts, { one, filter, key }: Question, nowMs: number): boolean {
  const { timesSeen } = one.issue;
  const isBelow = timesSeen <= filter.above || counts.isBelow(key, filter.above, timesSeen, nowMs);
  if (isBelow) one.answers.set(filter, false);
  return isBelow;
}

/** null when they are too many to be counted in time. */
async function countIssues(
  { stores, log }: CountParts,
  organizationId: number,
  { one, filter: { minutes } }: Question,
  issues: readonly Issue[],
  hashes: ReadonlyMap<number, readonly string[]>,
  nowMs: number,
): Promise<ReadonlyMap<number, WindowCount> | null> {
  const { environment } = one.rule;
  const range = { fromMs: nowMs - minutes * MINUTE_MS, toMs: nowMs + AHEAD_MS };
  try {
    const found = await stores.alertEvents.countWindow(
      { organizationId, projectIds: [...new Set(issues.map(({ projectId }) => projectId))] },
      issues.map(({ id, projectId }) => ({ issueId: id, projectId, hashes: hashes.get(id) ?? [] })),
      { range, environment },
    );
    return new Map(issues.flatMap(({ id }, index) => (found[index] ? [[id, found[index]]] : [])));
  } catch (error) {
    if (!isErrataError(error) || error.code !== 'invalid') throw error;
    log.warn(
      { organizationId, minutes, issues: issues.length },
      'Events of a window were too many to be counted',
    );
    return null;
  }
}
