import { MessageSquareText } from 'lucide-react';
import type { Metadata } from 'next';
import { CursorPager, NEWEST_FIRST_LABELS } from '#app/[org]/cursor-pager.tsx';
import { firstValue, type PageRequest } from '#app/url-state.ts';
import { visibleData } from '#lib/visible-text.ts';
import { listIssueFeedback } from '#product/feedback/feedback.ts';
import { Card } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { Notice } from '#ui/notice.tsx';
import { PageBody } from '#ui/page-header.tsx';
import { ReloadButton } from '#ui/reload-button.tsx';
import { FeedbackList } from '../event/feedback-list.tsx';
import { getIssueRequest, readPage } from '../issue-request.ts';
import { IssueViewHeader } from '../issue-view-header.tsx';

const PAGE_FEEDBACK = 50;

type Props = PageRequest<'org' | 'issue'>;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { org, issue: reference } = await params;
  const { issue } = await getIssueRequest(org, reference);
  return { title: { absolute: `Feedback on ${issue.shortId} · Errata` } };
}

/** What people who met the issue said about it. */
export default async function IssueFeedbackPage({ params, searchParams }: Props) {
  const { org, issue: reference } = await params;
  const cursor = firstValue(await searchParams, 'cursor') || null;
  const { ctx, issue } = await getIssueRequest(org, reference);
  const page = await readPage(cursor, (from) =>
    listIssueFeedback(ctx, issue, { cursor: from, limit: PAGE_FEEDBACK }),
  );
  const issueHref = `/${ctx.organization.slug}/issues/${issue.shortId}`;
  return (
    <PageBody width="narrow">
      <IssueViewHeader
        issue={issue}
        organizationSlug={ctx.organization.slug}
        view="feedback"
        title={`Feedback on ${issue.shortId}`}
      />
      {!page.ok ? (
        <Notice tone="warning" title="Couldn’t load feedback" actions={<ReloadButton />}>
          {page.reason}
        </Notice>
      ) : page.value.rows.length === 0 ? (
        <div className="rounded-lg border bg-surface-raised">
          <EmptyState icon={<MessageSquareText />} title="No feedback yet">
            Use the user feedback feature of your SDK to ask people what happened. Feedback about events of
            this issue appears here.
          </EmptyState>
        </div>
      ) : (
        <Card>
          <FeedbackList
            rows={visibleData(page.value.rows)}
            now={ctx.now()}
            eventLink={({ associatedEventId }) =>
              associatedEventId === null ? null : (
                <Link
                  href={`${issueHref}/events/${associatedEventId}`}
                  className="text-accent underline-offset-2 hover:underline"
                >
                  View event
                </Link>
              )
            }
          />
        </Card>
      )}
      {page.ok ? (
        <CursorPager
          labels={NEWEST_FIRST_LABELS}
          path={`${issueHref}/feedback`}
          cursor={cursor}
          nextCursor={page.value.nextCursor}
        />
      ) : null}
    </PageBody>
  );
}
