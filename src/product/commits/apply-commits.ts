import type { Context } from '#product/context.ts';
import { ensureRepositories } from '#product/repositories/ensure-repositories.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';
import type { FixedIssue } from '#storage/ports/commits.ts';
import type { CheckedCommit, CheckedRef } from './check-commits.ts';
import { findMemberOf, loadCommitPeople } from './commit-people.ts';
import { findFixes } from './find-fixes.ts';

/** Issues that the commits of one request name at most; the others stay as they are. */
const FIXES_MAX = 1_000;
/** Short ids that are looked up among merged issues, one by one. */
const REDIRECTS_MAX = 50;

export type CheckedContent = {
  /** Absent: its commits stay. */
  commits: readonly CheckedCommit[] | undefined;
  /** Absent: its heads stay; empty: it has no commits any more. */
  refs: readonly CheckedRef[] | undefined;
};

/** Tells a release its commits, which resolve the issues that their messages name. */
export async function applyCommits(
  ctx: Context,
  releaseId: number,
  { commits = [], refs }: CheckedContent,
): Promise<void> {
  const organizationId = ctx.organization.id;
  const repositories = await ensureRepositories(
    ctx,
    [...commits, ...(refs ?? [])].map(({ repository }) => repository),
  );
  const idOf = (name: string): number => {
    const id = repositories.get(name);
    if (id === undefined) throw new Error(`The repository ${name} is neither there nor new`);
    return id;
  };
  if (commits.length > 0) {
    await ctx.stores.commits.setReleaseCommits(
      organizationId,
      releaseId,
      commits.map(({ repository, ...commit }) => ({ ...commit, repositoryId: idOf(repository) })),
    );
  }
  if (refs && refs.length > 0) {
    await ctx.stores.commits.setReleaseHeads(
      organizationId,
      releaseId,
      refs.map(({ repository, ...head }) => ({ ...head, repositoryId: idOf(repository) })),
    );
  } else if (refs && commits.length === 0) {
    await ctx.stores.commits.clearRelease(organizationId, releaseId);
  }
  // What it did before for the same commits, it does not do again; so a request that broke off is simply repeated.
  if (commits.length > 0) {
    const fixed = await findFixedIssues(ctx, commits);
    await ctx.stores.commits.resolveIssues(organizationId, releaseId, fixed, ctx.now());
  }
}

/** Of an issue that several commits name, the newest one counts. */
async function findFixedIssues(
  ctx: Context,
  commits: readonly CheckedCommit[],
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
async function findIssueIds(
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
