import { DAY_MS } from '#lib/time.ts';
import type { Stores } from '#product/stores.ts';

const ISSUES_PER_PAGE = 500;
/** Issues looked at in one run; the next run looks at more. */
const PAGES_MAX = 40;

/** Deletes issues whose events are all gone: last seen before the oldest day that is kept, and no event left of them. */
export async function deleteSilentIssues(
  { retention, storedDays }: Pick<Stores, 'retention' | 'storedDays'>,
  nowMs: number,
): Promise<number> {
  const days = (await storedDays.list()).filter(({ kind }) => kind === 'events');
  const oldest = days[0]?.day;
  // Without any event, what was seen before today has lost them.
  const beforeMs =
    oldest === undefined ? Math.floor(nowMs / DAY_MS) * DAY_MS : Date.parse(`${oldest}T00:00:00Z`);
  let deleted = 0;
  let afterId = 0;
  for (let page = 0; page < PAGES_MAX; page++) {
    const issues = await retention.listSilentIssues(beforeMs, afterId, ISSUES_PER_PAGE);
    const alive = await storedDays.findHashesWithEvents(
      issues.flatMap(({ projectId, hashes }) => hashes.map((hash) => ({ projectId, hash }))),
    );
    const silent = issues.filter(
      ({ projectId, hashes }) => !hashes.some((hash) => alive.has(`${projectId}:${hash}`)),
    );
    deleted += await retention.deleteSilentIssues(
      silent.map(({ issueId }) => issueId),
      beforeMs,
    );
    afterId = issues.at(-1)?.issueId ?? afterId;
    if (issues.length < ISSUES_PER_PAGE) break;
  }
  return deleted;
}
