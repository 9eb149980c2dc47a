import type { ReactNode } from 'react';
import type { Issue } from '#domain/issues/issue.ts';
import { findNewestActivity } from '#product/comments/list-activities.ts';
import type { Context } from '#product/context.ts';
import { hasRight } from '#product/permissions.ts';
import { getSharing, SHARE_DAYS, SHARE_DAYS_DEFAULT } from '#product/sharing/sharing.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import { formatUtcDay } from '#ui/format-time.ts';
import { LevelBadge } from '#ui/level-badge.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { withQuery } from '../../../url-state.ts';
import { issueTitle } from '../issue-view.ts';
import { StatusBadge } from '../triage/status-badge.tsx';
import { triagedIssueOf } from '../triaged-issue.ts';
import { IssueActions, IssueTriage, ShownStatusBadge } from './issue-actions.tsx';
import { IssueLive } from './issue-live.tsx';
import { pulseOf } from './issue-pulse.ts';
import { ListNavigation } from './list-navigation.tsx';
import { loadPeople } from './load-people.ts';
import { IssueMenu } from './people/issue-menu.tsx';
import { StickyHeader } from './sticky-header.tsx';

/** An issue under its header, which is the same above all of its views. */
export function IssueFrame({ ctx, issue, children }: { ctx: Context; issue: Issue; children: ReactNode }) {
  return (
    <div className="mx-auto w-full max-w-[1440px] px-4 pb-16 [--issue-header:4.75rem] sm:px-6 sm:[--issue-body-top:calc(5.25rem+var(--issue-header))]">
      <IssueHeader ctx={ctx} issue={issue} />
      {children}
    </div>
  );
}

/** Title, place, state and what can be done; in sight while the page scrolls. */
async function IssueHeader({ ctx, issue }: { ctx: Context; issue: Issue }) {
  const [{ userState }, sharing, newestActivity] = await Promise.all([
    loadPeople(ctx, issue),
    getSharing(ctx, issue),
    findNewestActivity(ctx, issue),
  ]);
  const { heading, message } = issueTitle(issue);
  const organizationSlug = ctx.organization.slug;
  const triaged = triagedIssueOf(issue);
  const canTriage = hasRight(ctx.actor, 'event:write');
  const user = canTriage && ctx.actor.kind === 'user' ? ctx.actor : null;
  const header = (
    <StickyHeader>
      <h1
        className="break-anything line-clamp-2 font-semibold text-base leading-snug sm:text-lg"
        title={message ? `${heading}: ${message}` : heading}
      >
        <bdi>{heading}</bdi>
        {message ? (
          <>
            <span className="text-text-faint">: </span>
            <bdi className="font-normal text-text-muted">{message}</bdi>
          </>
        ) : null}
      </h1>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1 text-sm text-text-muted">
          {user ? <ShownStatusBadge /> : <StatusBadge state={triaged} />}
          <LevelBadge level={issue.level} />
          {issue.culprit ? (
            <bdi
              className="mono min-w-0 max-w-36 truncate text-text text-xs max-sm:max-w-full"
              title={issue.culprit}
            >
              {issue.culprit}
            </bdi>
          ) : null}
          <span className="inline-flex items-center">
            <span className="mono text-xs">{issue.shortId}</span>
            <CopyButton text={`${ctx.publicUrl}/i/${issue.shortId}`} label="Copy short link" />
          </span>
          <Link
            href={withQuery(`/${organizationSlug}/issues`, { project: issue.projectSlug })}
            className="text-text-muted underline decoration-border-strong underline-offset-2 hover:text-text"
          >
            {issue.projectSlug}
          </Link>
          <IssueLive
            organizationSlug={organizationSlug}
            shortId={issue.shortId}
            projectId={issue.projectId}
            shown={pulseOf(issue, newestActivity)}
          />
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <ListNavigation organizationSlug={organizationSlug} shortId={issue.shortId} />
          {user ? <IssueActions /> : null}
          {ctx.actor.kind === 'system' ? null : (
            <IssueMenu
              place={{ organizationSlug, shortId: issue.shortId }}
              isBookmarked={userState.isBookmarked}
              isSubscribed={userState.subscription?.isSubscribed ?? false}
              sharing={
                hasRight(ctx.actor, 'event:write')
                  ? {
                      isAllowed: sharing.isAllowed,
                      until: sharing.share && formatUtcDay(sharing.share.expiresAt),
                      days: SHARE_DAYS,
                      daysDefault: SHARE_DAYS_DEFAULT,
                    }
                  : null
              }
              canDelete={hasRight(ctx.actor, 'event:admin')}
            />
          )}
        </div>
      </div>
    </StickyHeader>
  );
  if (!user) return header;
  return (
    <IssueTriage
      organizationSlug={organizationSlug}
      issue={triaged}
      user={{ userId: user.userId, name: user.name }}
    >
      {header}
    </IssueTriage>
  );
}
