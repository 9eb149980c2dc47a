import { Inbox, SearchX } from 'lucide-react';
import { PageFilters } from '#app/shell/page-filters.tsx';
import { LoadError, Panel } from '#app/shell/panel.tsx';
import { filterEntries, firstValue, type PageRequest, parsePageFilters, timeBounds } from '#app/url-state.ts';
import { isErrataError } from '#lib/errors.ts';
import type { OrUnavailable } from '#lib/or-unavailable.ts';
import { visibleData } from '#lib/visible-text.ts';
import { listIssueEvents } from '#product/issues/issue-events.ts';
import { seenWithin } from '#product/search/open-issue-search.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { formatPlural } from '#ui/format-number.ts';
import { readIssueRequest, readPage } from '../../issue-request.ts';
import { IssueListPager, IssueViewPage, viewMetadata } from '../../issue-view-page.tsx';
import { EventSearch } from './event-search.tsx';
import { EventTable } from './event-table.tsx';

const PAGE_EVENTS = 50;

type EventsOfIssue = Awaited<ReturnType<typeof listIssueEvents>>;
export const generateMetadata = viewMetadata('events');

/** The events of an issue that match a search, newest first. Without a time in the address they are of any time. */
export default async function IssueEventsPage({ params, searchParams }: PageRequest<'org' | 'issue'>) {
  const search = await searchParams;
  const request = await readIssueRequest(params);
  const { ctx, issue, issueHref } = request;
  const filters = parsePageFilters(search);
  const query = firstValue(search, 'query') ?? '';
  const cursor = firstValue(search, 'cursor') || null;
  const isTimed = ['range', 'statsPeriod', 'start', 'end'].some((name) => search[name] !== undefined);
  const range = isTimed ? seenWithin(ctx, timeBounds(filters.time, ctx.now())) : null;
  const entries = {
    query: query || null,
    ...(isTimed ? filterEntries({ ...filters, projects: [], environments: [] }) : {}),
  };
  const { page, problem } = await read();
  return (
    <IssueViewPage
      request={request}
      view="events"
      actions={
        <span className="numbers text-sm text-text-muted">
          {formatPlural(issue.timesSeen, 'event')} in total
        </span>
      }
    >
      <EventSearch
        organizationSlug={ctx.organization.slug}
        projectSlug={issue.projectSlug}
        query={query}
        error={problem}
      />
      {isTimed ? <PageFilters filters={filters} projects={null} environments={null} /> : null}
      {page === null ? null : !page.ok ? (
        <LoadError what="events">{page.reason}</LoadError>
      ) : page.value.events.length > 0 ? (
        <EventTable
          label={`Events of ${issue.shortId}`}
          events={visibleData(page.value.events)}
          issueHref={issueHref}
          now={ctx.now()}
        />
      ) : (
        <Panel>
          {query || isTimed ? (
            <EmptyState
              icon={<SearchX />}
              title="No matching events"
              actions={<ButtonLink href={`${issueHref}/events`}>Show all events</ButtonLink>}
            >
              No stored events of this issue match the search and time range.
            </EmptyState>
          ) : (
            <EmptyState icon={<Inbox />} title="No stored events">
              Events are deleted after the retention period. Counts are kept.
            </EmptyState>
          )}
        </Panel>
      )}
      <IssueListPager path={`${issueHref}/events`} entries={entries} cursor={cursor} page={page} />
    </IssueViewPage>
  );

  /** `problem` says why the search cannot be made; then there is no page. */
  async function read(): Promise<{ page: OrUnavailable<EventsOfIssue> | null; problem: string | null }> {
    try {
      const page = await readPage(cursor, (from) =>
        listIssueEvents(ctx, issue, { cursor: from, limit: PAGE_EVENTS, range, query }),
      );
      return { page, problem: null };
    } catch (error) {
      if (!isErrataError(error) || error.code !== 'invalid') throw error;
      return { page: null, problem: error.message };
    }
  }
}
