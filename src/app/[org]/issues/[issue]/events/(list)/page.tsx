import { SearchX } from 'lucide-react';
import { LoadError, Panel } from '#app/shell/panel.tsx';
import { firstValue, type PageRequest } from '#app/url-state.ts';
import { visibleData } from '#lib/visible-text.ts';
import { listIssueEvents } from '#product/issues/issue-events.ts';
import { EmptyState } from '#ui/empty-state.tsx';
import { formatExact, formatPlural } from '#ui/format-number.ts';
import {
  type IssueFilter,
  type IssueRequest,
  readIssueFilter,
  readIssueRequest,
  readPage,
} from '../../issue-request.ts';
import { IssueListPager, IssueViewPage, ShowAllStored, viewMetadata } from '../../issue-view-page.tsx';
import { loadTrend } from '../../load-trend.ts';
import { EventTable } from './event-table.tsx';

const PAGE_EVENTS = 50;

export const generateMetadata = viewMetadata('events');

/** The events of an issue that match the filter, newest first. */
export default async function IssueEventsPage({ params, searchParams }: PageRequest<'org' | 'issue'>) {
  const search = await searchParams;
  const request = await readIssueRequest(params);
  const { ctx, issue, issueHref } = request;
  const filter = await readIssueFilter(request, search);
  const cursor = firstValue(search, 'cursor') || null;
  const page =
    filter.problem === null
      ? await readPage(cursor, (from) =>
          listIssueEvents(ctx, issue, { ...filter.events, cursor: from, limit: PAGE_EVENTS }),
        )
      : null;
  return (
    <IssueViewPage
      request={request}
      view="events"
      filter={filter}
      hasFilters
      description={<Total ctx={ctx} issue={issue} filter={filter} />}
    >
      {page === null ? null : !page.ok ? (
        <LoadError what="events">{page.reason}</LoadError>
      ) : page.value.events.length > 0 ? (
        <EventTable
          label={`Events of ${issue.shortId}`}
          events={visibleData(page.value.events)}
          issueHref={issueHref}
          entries={filter.entries}
          now={ctx.now()}
        />
      ) : (
        <Panel>
          <EmptyState
            icon={<SearchX />}
            title="No matching events"
            actions={<ShowAllStored path={`${issueHref}/events`} what="events" />}
          >
            No stored events of this issue match. Events are deleted after the retention period; counts are
            kept.
          </EmptyState>
        </Panel>
      )}
      <IssueListPager path={`${issueHref}/events`} entries={filter.entries} cursor={cursor} page={page} />
    </IssueViewPage>
  );
}

/** How many events there are in the list, and in total. */
async function Total({ ctx, issue, filter }: Pick<IssueRequest, 'ctx' | 'issue'> & { filter: IssueFilter }) {
  const trend = await loadTrend(ctx, issue, filter);
  const total = `${formatPlural(issue.timesSeen, 'event')} in total`;
  return (
    <span className="numbers">
      {trend.ok && trend.value.events < issue.timesSeen
        ? `${formatExact(trend.value.events)} of ${total}`
        : total}
    </span>
  );
}
