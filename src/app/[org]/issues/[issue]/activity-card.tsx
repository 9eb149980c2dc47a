import { listAssignees } from '#product/assignment/list-assignees.ts';
import { listActivities } from '#product/comments/list-activities.ts';
import type { Context } from '#product/context.ts';
import { hasRight } from '#product/permissions.ts';
import type { Issue } from '#storage/ports/issues.ts';
import { Card } from '#ui/card.tsx';
import { Link } from '#ui/link.tsx';
import { ActivityList } from './activity-list.tsx';
import { CommentForm } from './comments/comment-form.tsx';
import { activityNames } from './comments/mention-names.ts';

const ENTRIES_SHOWN = 10;

/** The newest of what happened to the issue, and a place to write. */
export async function ActivityCard({ ctx, issue, now }: { ctx: Context; issue: Issue; now: number }) {
  const [{ activities, nextCursor }, assignees] = await Promise.all([
    listActivities(ctx, issue, { only: null, cursor: null, limit: ENTRIES_SHOWN }),
    listAssignees(ctx),
  ]);
  const { actor, organization } = ctx;
  const canComment = hasRight(actor, 'event:write') && actor.kind !== 'system';
  const href = `/${organization.slug}/issues/${issue.shortId}/activity`;
  return (
    <Card
      id="activity"
      title="Activity"
      actions={
        <Link href={href} className="text-accent text-xs underline-offset-2 hover:underline">
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
        userId={actor.kind === 'system' ? null : actor.userId}
        canComment={canComment}
        hasMore={nextCursor !== null}
      />
    </Card>
  );
}
