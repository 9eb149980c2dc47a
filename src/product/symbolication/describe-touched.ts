import { describeEvent } from '#pipeline/title.ts';
import type { GroupingChange } from '#storage/ports/regroup.ts';
import type { Stores } from '#storage/ports/stores.ts';

const ISSUES_PER_STEP = 100;

/** Calls the issues of a run's events as their newest events are called now; `progress` is told of every step. */
export async function describeTouched(
  { reprocesses, events }: Pick<Stores, 'reprocesses' | 'events'>,
  { id, organizationId, projectId }: GroupingChange,
  progress: () => Promise<void>,
): Promise<void> {
  const scope = { organizationId, projectIds: [projectId] };
  for (let after = 0; ; ) {
    const issues = await reprocesses.listTouched(id, after, ISSUES_PER_STEP);
    for (const { issueId, hashes } of issues) {
      const newest = await events.findEdgeEvent(scope, { issueId, projectId, hashes }, 'latest');
      if (newest && !newest.isBodySampled) {
        const { occurredAt, title, culprit, payload } = newest;
        const { metadata } = describeEvent(payload);
        await reprocesses.describeIssue(issueId, { occurredAt, title, culprit, metadata });
      }
    }
    const last = issues.at(-1);
    if (!last) return;
    after = last.issueId;
    await progress();
  }
}
