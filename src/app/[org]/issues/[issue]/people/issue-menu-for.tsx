import type { Issue } from '#domain/issues/issue.ts';
import type { Context } from '#product/context.ts';
import type { IssuePeople } from '#product/issue-user-state/user-state.ts';
import { hasRight } from '#product/permissions.ts';
import { type getSharing, SHARE_DAYS, SHARE_DAYS_DEFAULT } from '#product/sharing/sharing.ts';
import { IssueMenu } from './issue-menu.tsx';

/** The menu of an issue with what whoever reads may do. */
export function IssueMenuFor({
  ctx,
  issue,
  people: { userState },
  sharing,
}: {
  ctx: Context;
  issue: Issue;
  people: IssuePeople;
  sharing: Awaited<ReturnType<typeof getSharing>>;
}) {
  return (
    <IssueMenu
      place={{ organizationSlug: ctx.organization.slug, shortId: issue.shortId }}
      isBookmarked={userState.isBookmarked}
      isSubscribed={userState.subscription?.isSubscribed ?? false}
      sharing={
        hasRight(ctx.actor, 'event:write')
          ? {
              isAllowed: sharing.isAllowed,
              until: sharing.share && dayOf(sharing.share.expiresAt),
              days: SHARE_DAYS,
              daysDefault: SHARE_DAYS_DEFAULT,
            }
          : null
      }
      canDelete={hasRight(ctx.actor, 'event:admin')}
    />
  );
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
