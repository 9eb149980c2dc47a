import { FORECAST_HOURS, lookAtHour } from '#domain/issues/escalation-forecast.ts';
import type { ArchiveCondition, UnarchiveReason } from '#domain/issues/issue.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/time.ts';
import type { Stores } from '#product/stores.ts';
import type { IssueEvents } from '#storage/ports/events.ts';
import type { WatchedIssue } from './issue-page.ts';

/** How long an issue counts as new after it was first seen. */
const NEW_FOR_MS = 7 * DAY_MS;

/** New issues become ongoing after seven days. */
export async function ageNewIssues(stores: Pick<Stores, 'issues'>, nowMs: number): Promise<void> {
  await inSteps((limit) => stores.issues.ageNewIssues(nowMs - NEW_FOR_MS, limit));
}

/** How long an issue counts as regressed or escalating. */
const URGENT_FOR_MS = 7 * DAY_MS;

/** Regressed and escalating issues become ongoing when nobody closed them for seven days. */
export async function settleIssues(stores: Pick<Stores, 'issues'>, nowMs: number): Promise<void> {
  await inSteps((limit) => stores.issues.settleIssues(nowMs - URGENT_FOR_MS, nowMs, limit));
}

/** Brings back the archived issues whose date has come, whose condition is met, or which happen more than expected. */
export async function unarchiveIssues(
  stores: Pick<Stores, 'issues' | 'events'>,
  nowMs: number,
): Promise<{ due: number; escalated: number }> {
  const due = await inSteps((limit) => stores.issues.unarchiveDueIssues(nowMs, limit));
  return { due, escalated: await watchArchivedIssues(stores, nowMs) };
}

const ISSUES_PER_STEP = 1_000;
const STEPS_MAX = 1_000;

/**
 * Repeats a step until it finds less than it may take (`limit`), at most `stepsMax` times, so that no transaction is
 * long. Answers the sum.
 */
export async function inSteps(
  step: (limit: number) => Promise<number>,
  { limit, stepsMax } = { limit: ISSUES_PER_STEP, stepsMax: STEPS_MAX },
): Promise<number> {
  let total = 0;
  for (let count = 0; count < stepsMax; count++) {
    const done = await step(limit);
    total += done;
    if (done < limit) break;
  }
  return total;
}

/** Events are kept this long, so users of older ones cannot be counted. */
const ANY_TIME_MS = 90 * DAY_MS;

const WATCHED_PER_STEP = 500;

const WATCH_STEPS_MAX = 200;

type WatchStores = Pick<Stores, 'issues' | 'events'>;
type Escalation = { issueId: number; archivedAt: number; reason: UnarchiveReason };

/**
 * Looks at archived issues that go on happening: those that have met their condition, or passed the forecast of the
 * hour, escalate. The others get the forecast of the hour, so that the event that passes it is noticed as it arrives.
 * Answers how many escalated.
 */
export async function watchArchivedIssues(stores: WatchStores, nowMs: number): Promise<number> {
  const hourMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  let escalated = 0;
  let afterId = 0;
  for (let step = 0; step < WATCH_STEPS_MAX; step++) {
    const watched = await stores.issues.listWatched(
      hourMs - HOUR_MS,
      hourMs + HOUR_MS,
      afterId,
      WATCHED_PER_STEP,
    );
    const found: Escalation[] = [];
    for (const group of Map.groupBy(watched, (issue) => issue.organizationId).values()) {
      const untilEscalating = group.filter(({ archive }) => archive.condition.kind === 'escalating');
      found.push(...(await forecast(stores, untilEscalating, hourMs)));
      for (const issue of group) {
        if (await isMet(stores.events, issue, issue.archive.condition, nowMs)) found.push(metBy(issue));
      }
    }
    if (found.length > 0) escalated += await stores.issues.escalateIssues(found, nowMs);
    const last = watched.at(-1);
    if (!last || watched.length < WATCHED_PER_STEP) break;
    afterId = last.issueId;
  }
  return escalated;
}

/** Issues of one organization. Answers those that have passed their forecast already. */
async function forecast(
  stores: WatchStores,
  issues: readonly WatchedIssue[],
  hourMs: number,
): Promise<Escalation[]> {
  if (issues.length === 0) return [];
  // One hour more, since the last one is looked at again: its last minute may have brought the events.
  const range = { fromMs: hourMs - (FORECAST_HOURS + 1) * HOUR_MS, toMs: hourMs + HOUR_MS };
  const counts = await stores.events.countActivity(scopeOf(issues), issues.map(eventsOf), range, HOUR_MS);
  const escalations: Escalation[] = [];
  const forecasts: Parameters<WatchStores['issues']['setForecasts']>[0][number][] = [];
  for (const [index, issue] of issues.entries()) {
    const hourly = counts[index]?.buckets ?? [];
    const last = lookAtHour(issue, hourly.slice(0, -1), hourMs - HOUR_MS);
    const current = lookAtHour(issue, hourly.slice(1), hourMs);
    const passed = [last, current].find(({ events, expected }) => events > expected);
    if (passed) {
      const reason = { kind: 'forecast', events: passed.events, forecast: passed.expected } as const;
      escalations.push({ issueId: issue.issueId, archivedAt: issue.archive.archivedAt, reason });
    } else {
      const remaining = current.expected - current.events + 1;
      forecasts.push({
        issueId: issue.issueId,
        remaining,
        forecast: current.expected,
        beforeMs: hourMs + HOUR_MS,
      });
    }
  }
  if (forecasts.length > 0) await stores.issues.setForecasts(forecasts);
  return escalations;
}

/** Of conditions that are looked up among the events: in a window, or by users. */
async function isMet(
  events: WatchStores['events'],
  issue: WatchedIssue,
  condition: ArchiveCondition,
  nowMs: number,
): Promise<boolean> {
  if (condition.kind !== 'events' && condition.kind !== 'users') return false;
  const { archivedAt } = issue.archive;
  const count = async (fromMs: number, toMs: number) => {
    if (toMs <= fromMs) return { events: 0, users: 0 };
    const [activity] = await events.countActivity(
      scopeOf([issue]),
      [eventsOf(issue)],
      { fromMs, toMs },
      toMs - fromMs,
    );
    return activity ?? { events: 0, users: 0 };
  };
  if (condition.windowMinutes !== null) {
    const found = await count(Math.max(archivedAt, nowMs - condition.windowMinutes * MINUTE_MS), nowMs);
    return found[condition.kind] >= condition.count;
  }
  const sinceMs = nowMs - ANY_TIME_MS;
  const [all, before] = await Promise.all([count(sinceMs, nowMs), count(sinceMs, archivedAt)]);
  return all[condition.kind] - before[condition.kind] >= condition.count;
}

function metBy({ issueId, archive }: WatchedIssue): Escalation {
  const { condition, archivedAt } = archive;
  const { kind, count, windowMinutes } = condition as Extract<ArchiveCondition, { count: number }>;
  return { issueId, archivedAt, reason: { kind, count, windowMinutes } };
}

const scopeOf = (issues: readonly WatchedIssue[]) => ({
  organizationId: issues[0]?.organizationId ?? 0,
  projectIds: [...new Set(issues.map(({ projectId }) => projectId))],
});

const eventsOf = ({ issueId, projectId, hashes }: WatchedIssue): IssueEvents => ({
  issueId,
  projectId,
  hashes,
});
