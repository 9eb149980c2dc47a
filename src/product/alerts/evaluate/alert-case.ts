import type { AlertFilter } from '#domain/alerts/alert-rule.ts';
import { categoryOf } from '#domain/issues/category.ts';
import { ISSUE_PRIORITIES, type Issue } from '#domain/issues/issue.ts';
import { MINUTE_MS } from '#lib/time.ts';
import { combineVerdicts, compileEventFilter, type ReadEvent } from '#pipeline/alerts/event-rules.ts';
import { asksEvent, type IssueRule, isEventFilter } from '../alert-definition.ts';
import type { OutboxEntry } from '../alert-outbox.ts';

/** A rule that looks at an issue, and what it knows so far. */
export type JudgedCase = {
  rule: Pick<IssueRule, 'environment' | 'definition'>;
  issue: AskedIssue;
  answers: Map<AlertFilter, boolean>;
  /** Whether the environment and the filters of the event are settled. */
  isEventRead: boolean;
  /** False once something else than a filter rules it out: the environment. */
  isPossible: boolean;
};

/** One rule and one outbox entry that it may fire for. */
export type AlertCase = JudgedCase & {
  entry: OutboxEntry;
  rule: IssueRule;
  issue: Issue;
  /** There was no time to find out whether it is possible. */
  isLate: boolean;
};

/** How long an entry may wait for answers that there was no time to query; then what is unknown is sent rather than withheld. */
const WAITS_MS_MAX = 5 * 60_000;

export const mayWait = ({ entry }: AlertCase, nowMs: number): boolean =>
  nowMs - entry.createdAt < WAITS_MS_MAX;

/** What digest found already is taken over, unless the rule was changed since. */
export function openCase(entry: OutboxEntry, rule: IssueRule, issue: Issue): AlertCase {
  const { hit } = entry;
  const answers = new Map<AlertFilter, boolean>();
  const isFresh = hit !== null && hit.ruleVersion === rule.updatedAt && hit.verdict !== 'unread';
  const { filters, filterMatch } = rule.definition;
  if (isFresh && hit.verdict === 'fits') {
    // Something decided it: `any` by one that fits, the others by all of them.
    for (const filter of filters) answers.set(filter, filterMatch !== 'none');
  } else if (isFresh) {
    for (const filter of filters.filter(isEventFilter)) answers.set(filter, filterMatch === 'all');
  }
  return { entry, rule, issue, answers, isEventRead: isFresh, isPossible: true, isLate: false };
}

/** null while something is to be asked still. */
export function verdictOf({ rule, answers, isEventRead, isPossible }: JudgedCase): boolean | null {
  if (!isPossible) return false;
  const { filters, filterMatch } = rule.definition;
  const fits = combineVerdicts(filterMatch, [...answers.values()], answers.size < filters.length);
  // An event of another environment rules out whatever fits.
  return fits === true && rule.environment !== null && !isEventRead ? null : fits;
}

export function askIssue(one: JudgedCase, nowMs: number): void {
  for (const filter of one.rule.definition.filters) {
    if (one.answers.has(filter)) continue;
    const answer = answerByIssue(filter, one.issue, nowMs);
    if (answer !== null) one.answers.set(filter, answer);
  }
}

/** Whether the event itself has to be looked at. */
export const needsEvent = (one: JudgedCase): boolean =>
  one.rule.definition.filters.some((filter) => !one.answers.has(filter) && asksEvent(filter)) ||
  (!one.isEventRead && one.rule.environment !== null);

/** Whether the columns of an event are too little. */
export const needsPayload = ({ rule, answers }: JudgedCase): boolean =>
  rule.definition.filters.some((filter) => filter.kind === 'attribute' && !answers.has(filter));

/** An event that is gone (null) fits nothing that is asked of events, and has no environment. */
export function askEvent(one: JudgedCase, read: ReadEvent | null, newestRelease: string | undefined): void {
  const { rule, answers } = one;
  if (!one.isEventRead && rule.environment !== null && read?.event.environment !== rule.environment) {
    one.isPossible = false;
  }
  one.isEventRead = true;
  for (const filter of rule.definition.filters) {
    if (answers.has(filter)) continue;
    if (filter.kind === 'latest_release') {
      const release = read?.event.payload.release;
      answers.set(filter, release != null && release === newestRelease);
    } else if (isEventFilter(filter)) {
      answers.set(filter, read !== null && compileEventFilter(filter)(read));
    }
  }
}

/** What of an issue its filters ask. */
export type AskedIssue = Pick<
  Issue,
  'firstSeen' | 'timesSeen' | 'assignee' | 'assigneeTeam' | 'priority' | 'type'
>;

/** Whether an issue fits a filter; null for filters that something else must answer. */
export function answerByIssue(filter: AlertFilter, issue: AskedIssue, nowMs: number): boolean | null {
  switch (filter.kind) {
    case 'age': {
      const ageMs = nowMs - issue.firstSeen;
      const limitMs = filter.minutes * MINUTE_MS;
      return filter.compare === 'older' ? ageMs > limitMs : ageMs < limitMs;
    }
    case 'times_seen':
      return issue.timesSeen >= filter.atLeast;
    case 'assigned':
      if (filter.to.kind === 'user') return issue.assignee?.userId === filter.to.userId;
      if (filter.to.kind === 'team') return issue.assigneeTeam?.teamId === filter.to.teamId;
      return issue.assignee === null && issue.assigneeTeam === null;
    case 'category':
      // Feedback makes no issues.
      return filter.category === categoryOf(issue.type);
    case 'priority':
      // The first one is the highest.
      return ISSUE_PRIORITIES.indexOf(issue.priority) <= ISSUE_PRIORITIES.indexOf(filter.atLeast);
    default:
      return null;
  }
}
