import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { CursorPager } from '#app/[org]/cursor-pager.tsx';
import { PageFilters } from '#app/shell/page-filters.tsx';
import { type PageRequest, type QueryEntries, RANGES, withQuery } from '#app/url-state.ts';
import type { Issue } from '#domain/issues/issue.ts';
import { type OrUnavailable, orUnavailable } from '#lib/or-unavailable.ts';
import {
  countIssueViews,
  type IssueViewCounts,
  VIEW_COUNT_MAX,
} from '#product/issue-views/count-issue-views.ts';
import { listEnvironments } from '#product/projects/list-project-summaries.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { formatCount } from '#ui/format-number.ts';
import { TabLinks } from '#ui/tabs.tsx';
import { EventSearch } from './event-search.tsx';
import { type IssueFilter, type IssueRequest, readIssueRequest } from './issue-request.ts';
import { loadTrend } from './load-trend.ts';

/** The title is followed by the short ID of the issue. */
const VIEWS = [
  { view: 'overview', path: '', label: 'Overview', title: '' },
  { view: 'events', path: '/events', label: 'Events', title: 'Events of' },
  { view: 'tags', path: '/tags', label: 'Tags', title: 'Tags of' },
  { view: 'attachments', path: '/attachments', label: 'Attachments', title: 'Attachments of' },
  { view: 'feedback', path: '/feedback', label: 'Feedback', title: 'Feedback on' },
  { view: 'activity', path: '/activity', label: 'Activity', title: 'Activity of' },
  { view: 'similar', path: '/similar', label: 'Similar', title: 'Similar to' },
  { view: 'grouping', path: '/grouping', label: 'Grouping', title: 'Grouping of' },
] as const;

/** As long as events are kept. */
const RANGE_LONGEST = RANGES.at(-1) ?? null;

type IssueView = (typeof VIEWS)[number]['view'];
/** `events` are those that the filter leaves. */
type ViewCounts = IssueViewCounts & { events: number };

export const viewTitle = (view: IssueView, { shortId }: Pick<Issue, 'shortId'>): string =>
  `${VIEWS.find((each) => each.view === view)?.title} ${shortId}`;

/** The `generateMetadata` of a view. */
export const viewMetadata =
  (view: IssueView) =>
  async ({ params }: PageRequest<'org' | 'issue'>): Promise<Metadata> => {
    const { issue } = await readIssueRequest(params);
    // The layout above has a title of its own, so that its parent's template ends there.
    return { title: { absolute: `${viewTitle(view, issue)} · Errata` } };
  };

/** A view of an issue: links to the other views, what it is narrowed to, and the content. */
export function IssueViewPage({
  request,
  view,
  filter,
  hasFilters = false,
  width = 'wide',
  description,
  actions,
  children,
}: {
  request: IssueRequest;
  view: IssueView;
  filter: IssueFilter;
  /** Whether the content is of the filter; other views only keep it. */
  hasFilters?: boolean;
  width?: 'wide' | 'narrow';
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <>
      <IssueViews request={request} current={view} filter={filter} />
      {hasFilters ? <IssueFilters request={request} filter={filter} /> : null}
      <div className={width === 'narrow' ? 'max-w-[880px]' : undefined}>
        {view === 'overview' ? null : (
          <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-sm text-text-muted">
            <div>
              <h2 className="sr-only">{viewTitle(view, request.issue)}</h2>
              {description}
            </div>
            {actions}
          </div>
        )}
        {children}
      </div>
    </>
  );
}

/** From a view that the filter leaves empty to everything that is stored. */
export function ShowAllStored({ path, what }: { path: string; what: string }) {
  return (
    <ButtonLink href={withQuery(path, { range: RANGE_LONGEST })}>{`Show all stored ${what}`}</ButtonLink>
  );
}

/** The pager of a view whose list starts with the newest; nothing while the list is unavailable. */
export function IssueListPager({
  path,
  entries,
  cursor,
  page,
}: {
  path: string;
  entries?: QueryEntries;
  cursor: string | null;
  page: OrUnavailable<{ nextCursor: string | null }> | null;
}) {
  if (!page?.ok) return null;
  return (
    <CursorPager
      labels={{ first: 'Newest', next: 'Older' }}
      path={path}
      entries={entries}
      cursor={cursor}
      nextCursor={page.value.nextCursor}
    />
  );
}

/** Links to the views of an issue with how much each shows; they keep the filter. */
async function IssueViews({
  request: { ctx, issue, issueHref },
  current,
  filter,
}: {
  request: IssueRequest;
  current: IssueView;
  filter: IssueFilter;
}) {
  const [trend, counts] = await Promise.all([
    loadTrend(ctx, issue, filter),
    orUnavailable(countIssueViews(ctx, issue, filter.events)),
  ]);
  return (
    <ViewTabs
      issueHref={issueHref}
      current={current}
      entries={filter.entries}
      counts={{ ...(counts.ok && counts.value), ...(trend.ok && { events: trend.value.events }) }}
    />
  );
}

/** As `IssueViews`, while the counts are not known. */
export function ViewTabs({
  issueHref,
  current,
  entries = {},
  counts = {},
}: {
  issueHref: string;
  current: IssueView;
  entries?: QueryEntries;
  /** Without those that are not known. */
  counts?: Partial<ViewCounts>;
}) {
  const shown = countsShown(counts);
  return (
    <div className="z-20 -mx-4 mb-3 border-b bg-surface px-4 sm:sticky sm:-mx-6 sm:top-[calc(3rem+var(--issue-header))] sm:px-6">
      <TabLinks
        label="Issue views"
        tabs={VIEWS.map(({ view, path, label }) => ({
          href: withQuery(`${issueHref}${path}`, entries),
          label,
          count: shown[view],
          isCurrent: view === current,
        }))}
      />
    </div>
  );
}

/** Nothing for what there is none of. */
function countsShown({
  events,
  attachments = 0,
  feedback = 0,
  comments = 0,
}: Partial<ViewCounts>): Partial<Record<IssueView, string>> {
  const upTo = (count: number) => (count >= VIEW_COUNT_MAX ? '99+' : count > 0 ? String(count) : undefined);
  return {
    events: events === undefined ? undefined : formatCount(events),
    attachments: upTo(attachments),
    feedback: upTo(feedback),
    activity: comments > 0 ? formatCount(comments) : undefined,
  };
}

/** Environments, time and search of what a view shows. */
async function IssueFilters({
  request: { ctx, issue },
  filter: { filters, query, problem },
}: {
  request: IssueRequest;
  filter: IssueFilter;
}) {
  return (
    <div className="flex flex-wrap items-start gap-x-2">
      <PageFilters
        filters={filters}
        projects={null}
        environments={await listEnvironments(ctx, [issue.projectSlug])}
      />
      <EventSearch
        organizationSlug={ctx.organization.slug}
        filters={{ ...filters, projects: [issue.projectSlug] }}
        query={query}
        error={problem}
      />
    </div>
  );
}
