import type { Issue } from '#domain/issues/issue.ts';
import type { Log } from '#lib/log.ts';
import { MINUTE_MS } from '#lib/time.ts';
import type { Stores } from '#product/stores.ts';
import type { WindowCount } from '#storage/ports/alert-events.ts';
import type { IssueEvents } from '#storage/ports/events.ts';
import { type CountFilter, isCountFilter } from '../alert-definition.ts';
import { type AlertCase, mayWait } from './alert-case.ts';
import { askInParts, type PartAnswers } from './ask-in-parts.ts';

/** Events may be dated a little ahead of the edge's clock. */
const AHEAD_MS = 5 * MINUTE_MS;

type Question = { one: AlertCase; filter: CountFilter; key: string };

export type CountParts = {
  stores: Pick<Stores, 'alertEvents'>;
  counts: CountMemory;
  log: Log;
  /** Whether another question of the batch may be asked. */
  hasTime: () => boolean;
};

/**
 * Answers the filters that count: one look at the events for each length of a window and each environment. What is too
 * much even alone counts as more than was asked for; what there was no time for stays open while its entries may wait.
 */
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
    const { answers, tooMuch } = await countIssues(parts, organizationId, group[0]!, issues, hashes, nowMs);
    for (const { one, filter, key } of group) {
      const found = answers.get(one.issue);
      const isSettled = found !== undefined || tooMuch.has(one.issue);
      if (!isSettled && mayWait(one, nowMs)) continue;
      const count = found?.[filter.kind === 'event_count' ? 'events' : 'users'] ?? Number.POSITIVE_INFINITY;
      one.answers.set(filter, count > filter.above);
      if (isSettled) parts.counts.note(key, count, one.issue.timesSeen, nowMs);
    }
  }
}

const questionsOf = (one: AlertCase): readonly Question[] =>
  one.rule.definition.filters.flatMap((filter, index) =>
    isCountFilter(filter) && !one.answers.has(filter)
      ? { one, filter, key: `${one.rule.id}:${one.rule.updatedAt}:${index}:${one.issue.id}` }
      : [],
  );

/** What was not seen so often in all, and by so many, was not so often in the window; or it was too much just now. */
function isAnswered({ counts }: CountParts, { one, filter, key }: Question, nowMs: number): boolean {
  const { timesSeen } = one.issue;
  const isBelow = timesSeen <= filter.above || counts.isBelow(key, filter.above, timesSeen, nowMs);
  if (isBelow) one.answers.set(filter, false);
  else if (counts.isTooMuch(key, nowMs)) one.answers.set(filter, true);
  return one.answers.has(filter);
}

async function countIssues(
  { stores, log, hasTime }: CountParts,
  organizationId: number,
  { one, filter: { minutes } }: Question,
  issues: readonly Issue[],
  hashes: ReadonlyMap<number, readonly string[]>,
  nowMs: number,
): Promise<PartAnswers<Issue, WindowCount>> {
  const { environment } = one.rule;
  const range = { fromMs: nowMs - minutes * MINUTE_MS, toMs: nowMs + AHEAD_MS };
  const projectIds = [...new Set(issues.map(({ projectId }) => projectId))];
  const found = await askInParts(
    issues,
    (part) =>
      stores.alertEvents.countWindow({ organizationId, projectIds }, toIssueEvents(part, hashes), {
        range,
        environment,
      }),
    hasTime,
  );
  const { answers, tooMuch } = found;
  if (answers.size < issues.length) {
    const late = issues.length - answers.size - tooMuch.size;
    log.warn(
      { organizationId, minutes, issues: issues.length, tooMuch: tooMuch.size, late },
      'A time window had too many events to count',
    );
  }
  return found;
}

export const toIssueEvents = (
  issues: readonly Issue[],
  hashes: ReadonlyMap<number, readonly string[]>,
): readonly IssueEvents[] =>
  issues.map(({ id, projectId }) => ({ issueId: id, projectId, hashes: hashes.get(id) ?? [] }));

/** Counts that are remembered, about 150 bytes each. */
const COUNTS_MAX = 50_000;
/** Whatever happened to the issue meanwhile, it is counted again. */
const KEPT_MS = 60_000;

type Known = { count: number; timesSeen: number; at: number };

/**
 * What was counted in the window of a filter, so that an issue with many events is not counted at each of them: since
 * then it can only have become as many more as it was seen more often.
 */
export class CountMemory {
  readonly #counts = new Map<string, Known>();

  /** Whether the count cannot be above `above` yet. */
  isBelow(key: string, above: number, timesSeen: number, nowMs: number): boolean {
    const known = this.#counts.get(key);
    if (!known || nowMs - known.at > KEPT_MS || timesSeen < known.timesSeen) return false;
    return known.count + timesSeen - known.timesSeen <= above;
  }

  /** Whether it was too much to be counted a moment ago: trying again would hold up other alerts. */
  isTooMuch(key: string, nowMs: number): boolean {
    const known = this.#counts.get(key);
    return known !== undefined && known.count === Number.POSITIVE_INFINITY && nowMs - known.at <= KEPT_MS;
  }

  /** `count` is Infinity for what was too much to be counted. */
  note(key: string, count: number, timesSeen: number, nowMs: number): void {
    this.#counts.delete(key);
    this.#counts.set(key, { count, timesSeen, at: nowMs });
    if (this.#counts.size <= COUNTS_MAX) return;
    const [oldest = ''] = this.#counts.keys();
    this.#counts.delete(oldest);
  }
}
