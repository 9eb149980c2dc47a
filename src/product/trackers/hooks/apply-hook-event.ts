import type { TrackerIssue } from '#delivery/ports/tracker-client.ts';
import { isErrataError } from '#lib/errors.ts';
import { findMemberOf, loadCommitPeople } from '#product/commits/commit-row.ts';
import { findFixedIssues, findIssueIds, type SayingCommit } from '#product/commits/find-fixed-issues.ts';
import { findFixes, findMentionedIds } from '#product/commits/find-fixes.ts';
import type { Context } from '#product/context.ts';
import { checkLink } from '#product/issue-links/issue-links.ts';
import { resolveInKnownReleases } from '#product/issues/update-issues.ts';
import { linkTitle } from '../link-tracker-issue.ts';
import type { Tracker } from '../tracker-store.ts';

/** Issues that one message links. */
const LINKED_MAX = 100;
/** Links of an issue after which commits add no more: people need room for theirs. */
const LINKS_OF_ISSUE_MAX = 30;
const COMMIT_KEY_SHOWN = 10;

/**
 * Links issues to commits and requests that name them, and resolves those that they say they fix, once that is where
 * releases are made of. Whoever may push there may so resolve issues of the organization.
 */
export async function applyHookEvent(ctx: Context, tracker: Tracker, event: HookEvent): Promise<void> {
  switch (event.kind) {
    case 'commits':
      await applyCommits(ctx, event);
      return;
    case 'request': {
      const { repository, name, url, title, text, mergedAs } = event;
      const message = `${title}\n\n${text}`;
      await linkMentions(ctx, [{ message, url, title: linkTitle({ key: name, title }), authorEmail: null }]);
      if (mergedAs === null) return;
      await resolve(ctx, [{ repository, key: mergedAs, message, author: { name: null, email: null } }]);
      return;
    }
    case 'issue': {
      const { key, title, state, stateName } = event;
      const tracked = { trackerId: tracker.id, key, title: linkTitle({ key, title }), state, stateName };
      await ctx.stores.issueLinks.noteTracked(ctx.organization.id, tracked, ctx.now());
    }
  }
}

async function applyCommits(
  ctx: Context,
  { repository, isDefaultBranch, commits }: Extract<HookEvent, { kind: 'commits' }>,
): Promise<void> {
  await linkMentions(
    ctx,
    commits.map((commit) => ({ ...commit, title: linkTitle(commitTitle(repository, commit)) })),
  );
  if (!isDefaultBranch) return;
  // Pushes list the oldest first; of several that fix an issue, the newest counts.
  const newestFirst = commits.toReversed().map(({ key, message, authorEmail }) => ({
    repository,
    key,
    message,
    author: { name: null, email: authorEmail },
  }));
  await resolve(ctx, newestFirst);
}

async function resolve(ctx: Context, commits: readonly SayingCommit[]): Promise<void> {
  const fixed = await findFixedIssues(ctx, commits);
  if (fixed.length === 0) return;
  await ctx.stores.commits.resolveIssues(ctx.organization.id, null, fixed, ctx.now());
  // A build may have reported its release before the push was reported.
  for (const commit of new Set(fixed.map(({ commitKey }) => commitKey))) {
    const repository = fixed.find(({ commitKey }) => commitKey === commit)?.repositoryName ?? '';
    await resolveInKnownReleases(ctx, { repository, commit });
  }
}

type Saying = Pick<PushedCommit, 'message' | 'url' | 'authorEmail'> & { title: string };

async function linkMentions(ctx: Context, sayings: readonly Saying[]): Promise<void> {
  const organizationId = ctx.organization.id;
  const named = sayings.map((saying) => {
    const { shortIds, issueIds } = findFixes(saying.message, {
      publicUrl: ctx.publicUrl,
      organizationSlug: ctx.organization.slug,
    });
    return { saying, shortIds: [...new Set([...shortIds, ...findMentionedIds(saying.message)])], issueIds };
  });
  const ids = await findIssueIds(
    ctx,
    named.flatMap(({ shortIds }) => shortIds),
    named.flatMap(({ issueIds }) => issueIds),
  );
  if (ids.size === 0) return;
  const people = await loadCommitPeople(ctx);
  let linked = 0;
  for (const { saying, shortIds, issueIds } of named) {
    const mentioned = new Set([...shortIds, ...issueIds].flatMap((name) => ids.get(name) ?? []));
    const userId = findMemberOf(people, { name: null, email: saying.authorEmail })?.userId ?? null;
    for (const issueId of mentioned) {
      if (linked >= LINKED_MAX) return;
      linked++;
      await leavingOut(() => {
        // Whoever removed it wants it gone, however often the request is pushed to.
        const link = { url: checkLink(saying).url, title: saying.title, isByItself: true };
        return ctx.stores.issueLinks.add(
          organizationId,
          issueId,
          link,
          userId,
          ctx.now(),
          LINKS_OF_ISSUE_MAX,
        );
      });
    }
  }
}

/** A commit comes again with each branch that it is pushed to; what has no usual address is not linked. */
async function leavingOut(add: () => Promise<unknown>): Promise<void> {
  try {
    await add();
  } catch (error) {
    if (!isErrataError(error) || (error.code !== 'conflict' && error.code !== 'invalid')) throw error;
  }
}

/** `acme/web@9f2c1ab4d2`, and the first line of what it says. */
const commitTitle = (repository: string, { key, message }: PushedCommit) => ({
  key: `${repository}@${key.slice(0, COMMIT_KEY_SHOWN)}`,
  title: message.split('\n', 1)[0] ?? '',
});

/** A commit that a push brought. */
export type PushedCommit = {
  key: string;
  message: string;
  url: string;
  /** In lower case; null when it does not say. */
  authorEmail: string | null;
};

/** What a tracker's webhook reports, in one shape for all kinds. */
export type HookEvent =
  | {
      kind: 'commits';
      /** `owner/name` */
      repository: string;
      /** Whether they are where releases are made of. */
      isDefaultBranch: boolean;
      commits: readonly PushedCommit[];
    }
  /** A pull or merge request. */
  | {
      kind: 'request';
      repository: string;
      /** `acme/web#12` or `acme/web!12` */
      name: string;
      url: string;
      title: string;
      text: string;
      /** The commit that it became, when it was merged into the default branch; else null. */
      mergedAs: string | null;
    }
  /** An issue of the tracker itself. */
  | ({ kind: 'issue' } & Omit<TrackerIssue, 'url'>);
