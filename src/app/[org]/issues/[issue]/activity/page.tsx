import { readListPage } from '#app/[org]/cursor-pager.tsx';
import { firstValue, type PageRequest, withQuery } from '#app/url-state.ts';
import { visibleData } from '#lib/visible-text.ts';
import { userIdOf } from '#product/acting-user.ts';
import { listAssignees } from '#product/assignment/assignees.ts';
import { listActivities } from '#product/comments/list-activities.ts';
import { hasRight } from '#product/permissions.ts';
import { getServices } from '#product/services.ts';
import { Card } from '#ui/card.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { ActivityList, activityNames } from '../activity-list.tsx';
import { CommentForm } from '../comments/comment-form.tsx';
import { readIssueFilter, readIssueRequest } from '../issue-request.ts';
import { IssueViewPage, viewMetadata } from '../issue-view-page.tsx';

const ENTRIES_PER_PAGE = 50;

export const generateMetadata = viewMetadata('activity');

/** Everything that people and the system did to the issue. */
export default async function ActivityPage({ params, searchParams }: PageRequest<'org' | 'issue'>) {
  const query = await searchParams;
  const request = await readIssueRequest(params);
  const filter = await readIssueFilter(request, query);
  const { ctx, issue, issueHref } = request;
  const only = query.only === 'comments' ? 'comments' : null;
  const cursor = firstValue(query, 'cursor') || null;
  const [page, assignees] = await Promise.all([
    readListPage(cursor, (from) =>
      listActivities(ctx, issue, { only, cursor: from, limit: ENTRIES_PER_PAGE }),
    ),
    listAssignees(ctx),
  ]);
  const href = `${issueHref}/activity`;
  const place = { organizationSlug: ctx.organization.slug, shortId: issue.shortId };
  const canComment = hasRight(ctx.actor, 'event:write') && ctx.actor.kind !== 'system';
  return (
    <IssueViewPage
      request={request}
      view="activity"
      filter={filter}
      width="narrow"
      actions={
        <Link
          href={only === null ? withQuery(href, { only: 'comments' }) : href}
          className="text-accent text-sm underline underline-offset-2"
        >
          {only === null ? 'Comments' : 'All activity'}
        </Link>
      }
    >
      <Card>
        {canComment && cursor === null ? (
          <div className="mb-5">
            <CommentForm place={place} />
          </div>
        ) : null}
        {page.activities.length === 0 && only !== null ? (
          <p className="text-sm text-text-muted">No comments yet.</p>
        ) : (
          <ActivityList
            issue={issue}
            activity={visibleData(page.activities)}
            names={activityNames(assignees)}
            now={ctx.now()}
            organizationSlug={place.organizationSlug}
            userId={userIdOf(ctx)}
            canComment={canComment}
            canReply={canComment && getServices().mailer.isConfigured}
            hasMore={page.nextCursor !== null || only !== null}
          />
        )}
        {page.nextCursor === null ? null : (
          <p className="mt-4">
            <Link
              href={withQuery(href, { ...(only ? { only } : {}), cursor: page.nextCursor })}
              className="text-accent text-sm underline underline-offset-2"
            >
              Older
            </Link>
          </p>
        )}
      </Card>
    </IssueViewPage>
  );
}
