import type { Issue } from '#domain/issues/issue.ts';
import type { Context } from '#product/context.ts';
import { hasRight } from '#product/permissions.ts';
import { SHARE_DAYS, SHARE_DAYS_DEFAULT } from '#product/sharing/sharing.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import { LevelBadge } from '#ui/level-badge.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { withQuery } from '../../../url-state.ts';
import { issueTitle } from '../issue-view.ts';
import { StatusBadge } from '../triage/status-badge.tsx';
import { triagedIssueOf } from '../triaged-issue.ts';
import { IssueActions, IssueTriage, ShownStatusBadge } from './issue-actions.tsx';
import { IssueLive } from './issue-live.tsx';
import { pulseOf } from './issue-pulse.ts';
import type { IssuePageData } from './load-issue-page.ts';
import { IssueMenu } from './people/issue-menu.tsx';

/** Title, place, state and what can be done. */
export function IssueHeader({
  ctx,
  issue,
  data,
  canTriage,
}: {
  ctx: Context;
  issue: Issue;
  data: IssuePageData;
  canTriage: boolean;
}) {
  const { heading, message } = issueTitle(issue);
  const organizationSlug = ctx.organization.slug;
  const triaged = triagedIssueOf(issue);
  const { userState } = data.people;
  const user = canTriage && ctx.actor.kind === 'user' ? ctx.actor : null;
  const header = (
    <header className="mb-4 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 flex-1 basis-[28rem]">
        <h1 className="break-anything line-clamp-3 font-semibold text-lg leading-snug sm:text-xl">
          <bdi>{heading}</bdi>
          {message ? (
            <>
              <span className="text-text-faint">: </span>
              <bdi className="font-normal text-text-muted">{message}</bdi>
            </>
          ) : null}
        </h1>
        <div className="mt-1.5 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-sm text-text-muted">
          {user ? <ShownStatusBadge /> : <StatusBadge state={triaged} />}
          <LevelBadge level={issue.level} />
          {issue.culprit ? (
            <bdi className="mono min-w-0 max-w-full truncate text-text text-xs" title={issue.culprit}>
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
            shown={pulseOf(issue, data.activity.activities[0]?.id ?? null)}
          />
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {user ? <IssueActions /> : null}
        {ctx.actor.kind === 'system' ? null : (
          <IssueMenu
            place={{ organizationSlug, shortId: issue.shortId }}
            isBookmarked={userState.isBookmarked}
            isSubscribed={userState.subscription?.isSubscribed ?? false}
            sharing={
              hasRight(ctx.actor, 'event:write')
                ? {
                    isAllowed: data.sharing.isAllowed,
                    until: data.sharing.share && dayOf(data.sharing.share.expiresAt),
                    days: SHARE_DAYS,
                    daysDefault: SHARE_DAYS_DEFAULT,
                  }
                : null
            }
            canDelete={hasRight(ctx.actor, 'event:admin')}
          />
        )}
      </div>
    </header>
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

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
