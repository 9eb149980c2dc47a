import type { Issue } from '#domain/issues/issue.ts';
import { userIdOf } from '#product/acting-user.ts';
import type { ActivityPage } from '#product/comments/list-activities.ts';
import type { Context } from '#product/context.ts';
import { hasRight } from '#product/permissions.ts';
import { getServices } from '#product/services.ts';
import { Card } from '#ui/card.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { ActivityList, activityNames } from './activity-list.tsx';
import { CommentForm } from './comments/comment-form.tsx';
import type { Assignees } from './people/people-card.tsx';

/** The newest of what happened to the issue, and a place to write. */
export function ActivityCard({
  ctx,
  issue,
  page: { activities, nextCursor },
  assignees,
  now,
}: {
  ctx: Context;
  issue: Issue;
  page: ActivityPage;
  assignees: Assignees;
  now: number;
}) {
  const { actor, organization } = ctx;
  const canComment = hasRight(actor, 'event:write') && actor.kind !== 'system';
  const href = `/${organization.slug}/issues/${issue.shortId}/activity`;
  return (
    <Card
      id="activity"
      title="Activity"
      actions={
        <Link href={href} className="card-link">
          Show all
        </Link>
      }
    >
      {canComment ? (
        <div className="mb-4">
          <CommentForm place={{ organizationSlug: organization.slug, shortId: issue.shortId }} />
        </div>
      ) : null}
      <ActivityList
        issue={issue}
        activity={activities}
        names={activityNames(assignees)}
        now={now}
        organizationSlug={organization.slug}
        userId={userIdOf({ actor })}
        canComment={canComment}
        canReply={canComment && getServices().mailer.isConfigured}
        hasMore={nextCursor !== null}
      />
    </Card>
  );
}
