import type { Issue } from '#domain/issues/issue.ts';
import type { Stores } from '#product/stores.ts';
import type { FirstIn } from '#storage/ports/alert-events.ts';
import { type AlertCase, mayWait } from './alert-case.ts';
import { askInParts, type PartAnswers } from './ask-in-parts.ts';
import { type CountParts, toIssueEvents } from './judge-counts.ts';

/** Events that arrive side by side may be digested in another order. */
const APART_MS_MAX = 10 * 60_000;

type FirstParts = CountParts & { stores: Pick<Stores, 'alertOutbox'> };

/**
 * Rules out what only may have been the first event of an issue in the environment of a rule, and was not. An issue with
 * too many events to find out is notified once by the rule rather than never.
 */
export async function askFirst(
  parts: FirstParts,
  organizationId: number,
  cases: readonly AlertCase[],
  hashes: ReadonlyMap<number, readonly string[]>,
  nowMs: number,
): Promise<void> {
  const asking = cases.filter(({ entry }) => entry.kind === 'first_seen' && entry.hit !== null);
  const unknown: AlertCase[] = [];
  for (const [environment, group] of Map.groupBy(asking, ({ rule }) => rule.environment ?? '')) {
    const { answers, tooMuch } = await findFirsts(parts, organizationId, environment, group, hashes);
    for (const one of group) {
      const found = answers.get(one.issue);
      if (found === undefined) {
        one.isLate = !tooMuch.has(one.issue) && mayWait(one, nowMs);
        if (!one.isLate) unknown.push(one);
      } else if (!found || found.first < found.asked - APART_MS_MAX) {
        one.isPossible = false;
      }
    }
  }
  if (unknown.length === 0) return;
  const fired = await parts.stores.alertOutbox.findLastFired(
    unknown.map(({ rule, issue }) => ({ ruleId: rule.id, issueId: issue.id })),
  );
  for (const one of unknown) one.isPossible = !fired.has(`${one.rule.id}:${one.issue.id}`);
}

/** null for an issue that has none of the events there. */
async function findFirsts(
  { stores, log, hasTime }: FirstParts,
  organizationId: number,
  environment: string,
  cases: readonly AlertCase[],
  hashes: ReadonlyMap<number, readonly string[]>,
): Promise<PartAnswers<Issue, FirstIn | null>> {
  const byIssue = Map.groupBy(cases, ({ issue }) => issue);
  const issues = [...byIssue.keys()];
  const projectIds = [...new Set(issues.map(({ projectId }) => projectId))];
  const found = await askInParts(
    issues,
    (part) =>
      stores.alertEvents.findFirstIn({ organizationId, projectIds }, toIssueEvents(part, hashes), {
        environment,
        eventIds: part.flatMap((issue) =>
          (byIssue.get(issue) ?? []).flatMap(({ entry }) => entry.eventId ?? []),
        ),
      }),
    hasTime,
  );
  if (found.answers.size < issues.length) {
    log.warn(
      { organizationId, environment, issues: issues.length, tooMuch: found.tooMuch.size },
      'An environment had too many events to find the first one',
    );
  }
  return found;
}
