import type { Metadata } from 'next';
import { type PageRequest, withQuery } from '#app/url-state.ts';
import { isErrataError } from '#lib/errors.ts';
import { visibleData } from '#lib/visible-text.ts';
import { userIdOf } from '#product/acting-user.ts';
import { listAssignees } from '#product/assignment/assignees.ts';
import { listActivities } from '#product/comments/list-activities.ts';
import { hasRight } from '#product/permissions.ts';
import { Card } from '#ui/card.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { PageBody } from '#ui/page-header.tsx';
import { ActivityList, activityNames } from '../activity-list.tsx';
import { CommentForm } from '../comments/comment-form.tsx';
import { getIssueRequest } from '../issue-request.ts';
import { IssueViewHeader } from '../issue-view-header.tsx';

const ENTRIES_PER_PAGE = 50;

export async function generateMetadata({ params }: PageRequest<'org' | 'issue'>): Promise<Metadata> {
  const { org, issue: reference } = await params;
  const { issue } = await getIssueRequest(org, reference);
  // The layout above has a title of its own, so that its parent's template ends there.
  return { title: { absolute: `Activity of ${issue.shortId} · Errata` } };
}

/** Everything that people and the system did to the issue. */
export default async function ActivityPage({ params, searchParams }: PageRequest<'org' | 'issue'>) {
  const { org, issue: reference } = await params;
  const query = await searchParams;
  const { ctx, issue } = await getIssueRequest(org, reference);
  const only = query.only === 'comments' ? 'comments' : null;
  const cursor = typeof query.cursor === 'string' ? query.cursor : null;
  const [page, assignees] = await Promise.all([
    listActivities(ctx, issue, { only, cursor, limit: ENTRIES_PER_PAGE }).catch((error: unknown) => {
      // An address from elsewhere: the list begins anew.
      if (!isErrataError(error) || error.code !== 'invalid') throw error;
      return listActivities(ctx, issue, { only, cursor: null, limit: ENTRIES_PER_PAGE });
    }),
    listAssignees(ctx),
  ]);
  const href = `/${org}/issues/${issue.shortId}/activity`;
  const canComment = hasRight(ctx.actor, 'event:write') && ctx.actor.kind !== 'system';
  return (
    <PageBody width="narrow">
      <IssueViewHeader
        issue={issue}
        organizationSlug={ctx.organization.slug}
        view="activity"
        title={`Activity of ${issue.shortId}`}
        actions={
          <Link
            href={only === null ? withQuery(href, { only: 'comments' }) : href}
            className="text-accent text-sm underline underline-offset-2"
          >
            {only === null ? 'Comments' : 'All activity'}
          </Link>
        }
      />
      <Card>
        {canComment && cursor === null ? (
          <div className="mb-5">
            <CommentForm place={{ organizationSlug: org, shortId: issue.shortId }} />
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
            organizationSlug={org}
            userId={userIdOf(ctx)}
            canComment={canComment}
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
    </PageBody>
  );
}
