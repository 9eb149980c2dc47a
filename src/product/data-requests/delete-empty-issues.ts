import type { Stores } from '#product/stores.ts';

const HASHES_PER_PAGE = 500;

/**
 * Deletes issues whose stored events were all of the person, as retention does with those whose events have expired. Answers
 * how many.
 */
export async function deleteEmptyIssues(
  { personRows, storedDays, issueDeletions }: Pick<Stores, 'personRows' | 'storedDays' | 'issueDeletions'>,
  requestId: number,
): Promise<number> {
  let deleted = 0;
  for (let after = ''; ; ) {
    const page = await personRows.listHashes(requestId, after, HASHES_PER_PAGE);
    const byProject = Map.groupBy(page, ({ projectId }) => projectId);
    for (const [projectId, hashes] of byProject) {
      const issues = await issueDeletions.listIssuesOf(
        projectId,
        hashes.map(({ hash }) => hash),
      );
      for (const issue of issues) {
        const alive = await storedDays.findHashesWithEvents(
          issue.hashes.map((hash) => ({ projectId, hash })),
        );
        if (alive.size > 0) continue;
        if (await issueDeletions.deleteEmpty(issue.issueId, issue.timesSeen)) deleted += 1;
      }
    }
    // A page may end between two projects with the same hash.
    const last = page.at(-1)?.hash;
    if (last === undefined || page.length < HASHES_PER_PAGE) return deleted;
    after = last === after ? last : (page.findLast(({ hash }) => hash !== last)?.hash ?? last);
  }
}
