import type { Kysely, Transaction } from 'kysely';
import { type AppliedChange, applyIssueChange } from '#domain/issues/change-issue.ts';
import type { Issue, IssueChange } from '#domain/issues/issue.ts';
import { lockIssues, writeChanges } from '#product/issues/store/issue-triage.ts';
import { WAITED_FOR } from '#storage/sql/named-commits.ts';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson } from '#storage/sql/storable-json.ts';
import type { FixedIssue } from '../commit.ts';

/** Issues that wait for a commit and are looked at for one release; the others wait for the next one. */
const WAITING_MAX = 1_000;

export const createCommitResolutions = (db: Kysely<Database>) => ({
  /**
   * Resolves issues by commits of a release: in the release when it is of the issue's project, else in the commit until
   * such a release comes. Issues that wait for one of the release's commits are resolved in the release too. A commit
   * resolves an issue once: what came back, or was opened again, stays open. `fixed` has an issue once. `releaseId` null:
   * no release holds the commits yet. Answers the issues that changed.
   */
  async resolveIssues(
    organizationId: number,
    releaseId: number | null,
    fixed: readonly FixedIssue[],
    atMs: number,
  ): Promise<readonly number[]> {
    return await db.transaction().execute(async (transaction) => {
      const release =
        releaseId === null ? NO_RELEASE : await findRelease(transaction, organizationId, releaseId);
      if (!release) return [];
      const waiting =
        releaseId === null
          ? []
          : await findWaiting(transaction, organizationId, releaseId, release.projectIds);
      const ids = [...new Set([...fixed, ...waiting].map(({ issueId }) => issueId))];
      if (ids.length === 0) return [];
      const issues = new Map(
        (await lockIssues(transaction, organizationId, ids)).map((issue) => [issue.id, issue]),
      );
      const applied = new Map<number, { change: AppliedChange; userId: string | null }>();
      const known = await findApplied(transaction, fixed);
      for (const fix of fixed) {
        const issue = issues.get(fix.issueId);
        if (!issue || applied.has(issue.id) || known.has(pairOf(fix))) continue;
        const change = resolveBy(issue, fix, release, atMs);
        if (change) applied.set(issue.id, { change, userId: fix.userId });
      }
      for (const wait of waiting) {
        const issue = issues.get(wait.issueId);
        if (!issue || applied.has(issue.id) || issue.resolution?.kind !== 'commit') continue;
        const change = nameRelease(issue, wait, release.version, atMs);
        if (change) applied.set(issue.id, { change, userId: null });
      }
      for (const userId of new Set([...applied.values()].map((each) => each.userId))) {
        const own = [...applied.values()].filter((each) => each.userId === userId);
        await writeChanges(
          transaction,
          own.map(({ change }) => change),
          userId,
          atMs,
        );
      }
      return [...applied.keys()];
    });
  },
});

type ReleaseOfCommits = { version: string; projectIds: readonly number[] };

/** Of commits that are in no release yet: it is of no project. */
const NO_RELEASE: ReleaseOfCommits = { version: '', projectIds: [] };

async function findRelease(
  transaction: Transaction<Database>,
  organizationId: number,
  releaseId: number,
): Promise<ReleaseOfCommits | null> {
  const release = await query<ReleaseOfCommits>`
    SELECT version, array(SELECT project_id FROM release_projects WHERE release_id = releases.id) AS project_ids
    FROM releases WHERE organization_id = ${organizationId} AND id = ${releaseId}`.first(transaction);
  return release && { ...release, projectIds: release.projectIds.map(Number) };
}

type Waiting = { issueId: number; repositoryName: string; commitKey: string };

/** Issues of the release's projects that are resolved in one of its commits, which may be named by its beginning. */
const findWaiting = (
  transaction: Transaction<Database>,
  organizationId: number,
  releaseId: number,
  projectIds: readonly number[],
): Promise<readonly Waiting[]> =>
  query<Waiting>`
    SELECT DISTINCT ON (issues.id) issues.id AS issue_id, repositories.name AS repository_name,
      commits.key AS commit_key
    FROM issues
    JOIN repositories ON repositories.organization_id = ${organizationId}
    JOIN commits ON ${WAITED_FOR}
    JOIN release_commits ON release_commits.commit_id = commits.id AND release_commits.release_id = ${releaseId}
    WHERE issues.organization_id = ${organizationId} AND issues.project_id = ANY(${[...projectIds]}::bigint[])
      AND issues.status = 'resolved' AND issues.resolution ->> 'kind' = 'commit'
    ORDER BY issues.id LIMIT ${WAITING_MAX}`.execute(transaction);

const pairOf = ({ issueId, commitKey }: { issueId: number; commitKey: string }): string =>
  `${issueId}:${commitKey}`;

/** Which of them resolved their issue before. */
async function findApplied(
  transaction: Transaction<Database>,
  fixed: readonly FixedIssue[],
): Promise<ReadonlySet<string>> {
  if (fixed.length === 0) return new Set();
  const rows = fixed.map(({ issueId, commitKey }) => ({ issue_id: issueId, key: commitKey }));
  const found = await query<{ issueId: number; commitKey: string }>`
    SELECT DISTINCT fixed.issue_id, fixed.key AS commit_key
    FROM json_to_recordset(${toStorableJson(rows)}::json) AS fixed (issue_id bigint, key text)
    JOIN activities ON activities.issue_id = fixed.issue_id AND activities.type = 'set_resolved_in_commit'
      AND activities.data ->> 'commit' = fixed.key`.execute(transaction);
  return new Set(found.map(pairOf));
}

function resolveBy(
  issue: Issue,
  { repositoryName: repository, commitKey: commit, userId }: FixedIssue,
  { version, projectIds }: ReleaseOfCommits,
  atMs: number,
): AppliedChange | null {
  const isInRelease = projectIds.includes(issue.projectId);
  // Of another project's release it is not known yet which one of its own holds the commit.
  if (!isInRelease && issue.status === 'resolved') return null;
  const change: IssueChange = {
    status: 'resolved',
    resolution: isInRelease ? { kind: 'release', release: version } : { kind: 'commit', repository, commit },
  };
  const applied = applyIssueChange(issue, change, { userId, atMs, newestRelease: null });
  const before = { status: issue.status, substatus: issue.substatus };
  const data = { repository, commit, ...(isInRelease && { version }), before };
  return applied && { ...applied, activities: [{ type: 'set_resolved_in_commit', data }] };
}

/** The release that the issue waited for, which holds the commit. */
function nameRelease(
  issue: Issue,
  { repositoryName: repository, commitKey: commit }: Waiting,
  version: string,
  atMs: number,
): AppliedChange | null {
  const change: IssueChange = { status: 'resolved', resolution: { kind: 'release', release: version } };
  const applied = applyIssueChange(issue, change, { userId: null, atMs, newestRelease: null });
  // Since when it is resolved stays: what came in between says nothing of this release.
  return (
    applied && {
      ...applied,
      after: { ...applied.after, resolvedAt: issue.resolvedAt },
      activities: [{ type: 'set_resolved_in_release', data: { version, repository, commit } }],
    }
  );
}
