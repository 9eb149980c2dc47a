import type { Context } from '#product/context.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';
import type { CheckedCommit } from './check-commits.ts';
import type { FixedIssue } from './commit.ts';
import { findMemberOf, loadCommitPeople } from './commit-row.ts';
import { findFixes } from './find-fixes.ts';

/** Issues that the commits of one request name at most; the others stay as they are. */
const FIXES_MAX = 1_000;
/** Short ids that are looked up among merged issues, one by one. */
const REDIRECTS_MAX = 50;

/** What a commit says, and who wrote it. */
export type SayingCommit = Pick<CheckedCommit, 'repository' | 'key' | 'message' | 'author'>;

/** Issues that the commits, newest first, say they fix. Of an issue that several of them name, the newest one counts. */
export async function findFixedIssues(
  ctx: Context,
  commits: readonly SayingCommit[],
): Promise<readonly FixedIssue[]> {
  const place = { publicUrl: ctx.publicUrl, organizationSlug: ctx.organization.slug };
  const named = commits
    .map((commit) => ({ commit, fixes: findFixes(commit.message, place) }))
    .filter(({ fixes }) => fixes.shortIds.length + fixes.issueIds.length > 0);
  if (named.length === 0) return [];
  const [people, ids] = await Promise.all([
    loadCommitPeople(ctx),
    findIssueIds(
      ctx,
      named.flatMap(({ fixes }) => fixes.shortIds),
      named.flatMap(({ fixes }) => fixes.issueIds),
    ),
  ]);
  const fixed = new Map<number, FixedIssue>();
  for (const { commit, fixes } of named) {
    const userId = findMemberOf(people, commit.author)?.userId ?? null;
    for (const name of [...fixes.shortIds, ...fixes.issueIds]) {
      const issueId = ids.get(name);
      if (issueId === undefined || fixed.has(issueId) || fixed.size >= FIXES_MAX) continue;
      fixed.set(issueId, { issueId, repositoryName: commit.repository, commitKey: commit.key, userId });
    }
  }
  return [...fixed.values()];
}

/**
 * By short id and by number; one that was merged leads to the issue that it is part of. Without those of projects that
 * the actor does not see.
 */
export async function findIssueIds(
  ctx: Context,
  shortIds: readonly string[],
  issueIds: readonly number[],
): Promise<ReadonlyMap<string | number, number>> {
  const organizationId = ctx.organization.id;
  const { issues, regroups } = ctx.stores;
  const wanted = [...new Set(shortIds)].slice(0, FIXES_MAX);
  const numbers = [...new Set(issueIds)].slice(0, FIXES_MAX);
  const [byShortId, byId] = await Promise.all([
    issues.findIdsByShortIds(organizationId, wanted),
    issues.findByIds(organizationId, numbers),
  ]);
  const found = new Map<string | number, number>(byShortId);
  for (const { id } of byId) found.set(id, id);
  const missing = [
    ...wanted.filter((shortId) => !found.has(shortId)).map((shortId) => ({ name: shortId, by: { shortId } })),
    ...numbers
      .filter((issueId) => !found.has(issueId))
      .map((issueId) => ({ name: issueId, by: { issueId } })),
  ];
  for (const { name, by } of missing.slice(0, REDIRECTS_MAX)) {
    const issueId = await regroups.findRedirect(organizationId, by);
    if (issueId !== null) found.set(name, issueId);
  }
  const [known, projects] = await Promise.all([
    issues.findByIds(organizationId, [...new Set(found.values())]),
    listVisibleProjects(ctx),
  ]);
  const visible = new Set(projects.map(({ id }) => id));
  const shown = new Set(known.filter(({ projectId }) => visible.has(projectId)).map(({ id }) => id));
  return new Map([...found].filter(([, issueId]) => shown.has(issueId)));
}
