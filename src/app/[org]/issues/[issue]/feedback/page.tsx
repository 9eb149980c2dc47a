import { MessageSquareText } from 'lucide-react';
import { EmptyPanel, LoadError } from '#app/shell/panel.tsx';
import { firstValue, type PageRequest } from '#app/url-state.ts';
import { visibleData } from '#lib/visible-text.ts';
import { listIssueFeedback } from '#product/feedback/feedback.ts';
import { Card } from '#ui/card.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { FeedbackList } from '../event/feedback-list.tsx';
import { readIssueFilter, readIssueRequest, readPage } from '../issue-request.ts';
import { IssueListPager, IssueViewPage, ShowAllStored, viewMetadata } from '../issue-view-page.tsx';

const PAGE_FEEDBACK = 50;

export const generateMetadata = viewMetadata('feedback');

/** What people who met the issue said about it. */
export default async function IssueFeedbackPage({ params, searchParams }: PageRequest<'org' | 'issue'>) {
  const search = await searchParams;
  const cursor = firstValue(search, 'cursor') || null;
  const request = await readIssueRequest(params);
  const filter = await readIssueFilter(request, search);
  const { ctx, issue, issueHref } = request;
  const page = await readPage(cursor, (from) =>
    listIssueFeedback(ctx, issue, { ...filter.events, cursor: from, limit: PAGE_FEEDBACK }),
  );
  return (
    <IssueViewPage request={request} view="feedback" filter={filter} hasFilters width="narrow">
      {!page.ok ? (
        <LoadError what="feedback">{page.reason}</LoadError>
      ) : page.value.rows.length === 0 ? (
        <EmptyPanel
          icon={<MessageSquareText />}
          title="No matching feedback"
          actions={<ShowAllStored path={`${issueHref}/feedback`} what="feedback" />}
        >
          No one left feedback about the events that match. Use the user feedback feature of your SDK to ask
          people what happened.
        </EmptyPanel>
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
      <IssueListPager path={`${issueHref}/feedback`} entries={filter.entries} cursor={cursor} page={page} />
    </IssueViewPage>
  );
}
