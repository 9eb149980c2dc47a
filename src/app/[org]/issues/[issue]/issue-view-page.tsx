import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { CursorPager } from '#app/[org]/cursor-pager.tsx';
import type { PageRequest, QueryEntries } from '#app/url-state.ts';
import type { Issue } from '#domain/issues/issue.ts';
import type { OrUnavailable } from '#lib/or-unavailable.ts';
import { Link } from '#ui/navigation/link.tsx';
import { PageBody, PageHeader } from '#ui/page-header.tsx';
import { TabLinks } from '#ui/tabs.tsx';
import { issueTitle } from '../issue-view.ts';
import { type IssueRequest, readIssueRequest } from './issue-request.ts';

/** The title is followed by the short ID of the issue. */
const VIEWS = [
  { view: 'details', path: '', label: 'Details', title: '' },
  { view: 'events', path: '/events', label: 'Events', title: 'Events of' },
  { view: 'tags', path: '/tags', label: 'Tags', title: 'Tags of' },
  { view: 'attachments', path: '/attachments', label: 'Attachments', title: 'Attachments of' },
  { view: 'feedback', path: '/feedback', label: 'Feedback', title: 'Feedback on' },
  { view: 'activity', path: '/activity', label: 'Activity', title: 'Activity of' },
  { view: 'similar', path: '/similar', label: 'Similar', title: 'Similar to' },
  { view: 'grouping', path: '/grouping', label: 'Grouping', title: 'Grouping of' },
] as const;

type IssueView = (typeof VIEWS)[number]['view'];

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

/** A view of an issue: links to the other views, the title of this one, the issue, and the content. */
export function IssueViewPage({
  request: { issue, issueHref },
  view,
  width,
  description,
  actions,
  children,
}: {
  request: IssueRequest;
  view: IssueView;
  width?: 'wide' | 'narrow';
  /** Follows the title of the issue. */
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const { heading, message } = issueTitle(issue);
  return (
    <PageBody width={width}>
      <div className="-mt-4">
        <IssueViews issueHref={issueHref} current={view} />
      </div>
      <PageHeader
        title={viewTitle(view, issue)}
        description={
          <>
            <Link
              href={issueHref}
              className="break-anything line-clamp-2 text-text-muted no-underline hover:underline"
            >
              <bdi className="font-medium text-text">{heading}</bdi> <bdi>{message}</bdi>
            </Link>
            {description ? <span className="mt-1 block">{description}</span> : null}
          </>
        }
        actions={actions}
      />
      {children}
    </PageBody>
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

/** Links to the views of an issue. */
export function IssueViews({ issueHref, current }: { issueHref: string; current: IssueView }) {
  return (
    <div className="mb-4 border-b">
      <TabLinks
        label="Issue views"
        tabs={VIEWS.map(({ view, path, label }) => ({
          href: `${issueHref}${path}`,
          label,
          isCurrent: view === current,
        }))}
      />
    </div>
  );
}
