import { isErrataError } from '#lib/errors.ts';
import type { AlertCase } from './alert-case.ts';
import type { CountParts } from './judge-counts.ts';

/** Events that arrive side by side may be digested in another order. */
const APART_MS_MAX = 10 * 60_000;

/** Rules out what only may have been the first event of an issue in the environment of a rule, and was not. */
export async function askFirst(
  { stores, log }: CountParts,
  organizationId: number,
  cases: readonly AlertCase[],
  hashes: ReadonlyMap<number, readonly string[]>,
): Promise<void> {
  const asking = cases.filter(({ news }) => news.kind === 'first_seen' && news.hit !== null);
  for (const [environment, group] of Map.groupBy(asking, ({ rule }) => rule.environment ?? '')) {
    const issues = [...new Map(group.map(({ issue }) => [issue.id, issue])).values()];
    const firsts = await stores.alertEvents
      .findFirstIn(
        { organizationId, projectIds: [...new Set(issues.map(({ projectId }) => projectId))] },
        issues.map(({ id, projectId }) => ({ issueId: id, projectId, hashes: hashes.get(id) ?? [] })),
        { environment, eventIds: group.flatMap(({ news }) => news.eventId ?? []) },
      )
      .catch((error: unknown) => {
        if (!isErrataError(error) || error.code !== 'invalid') throw error;
        // So many events did not begin now.
        log.warn(
          { organizationId, environment },
          'Events of an environment were too many to find the first one',
        );
        return [];
      });
    const byIssue = new Map(issues.map(({ id }, index) => [id, firsts[index]]));
    for (const one of group) {
      const found = byIssue.get(one.issue.id);
      if (!found || found.first < found.asked - APART_MS_MAX) one.isPossible = false;
    }
  }
}
