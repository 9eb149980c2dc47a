import type { ReactNode } from 'react';
import type { Issue } from '#domain/issues/issue.ts';
import { Link } from '#ui/navigation/link.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { TabLinks } from '#ui/tabs.tsx';
import { issueTitle } from '../issue-view.ts';

/** The head of a view of an issue: the other views, what this one shows, and of which issue. */
export function IssueViewHeader({
  issue,
  organizationSlug,
  view,
  title,
  description,
  actions,
}: {
  issue: Issue;
  organizationSlug: string;
  view: IssueView;
  title: string;
  /** What the view is about; absent for what the issue is called. */
  description?: ReactNode;
  actions?: ReactNode;
}) {
  const issueHref = `/${organizationSlug}/issues/${issue.shortId}`;
  const { heading, message } = issueTitle(issue);
  return (
    <>
      <div className="-mt-4">
        <IssueViews issueHref={issueHref} current={view} />
      </div>
      <PageHeader
        title={title}
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
    </>
  );
}

const VIEWS = [
  { view: 'details', path: '', label: 'Details' },
  { view: 'events', path: '/events', label: 'Events' },
  { view: 'tags', path: '/tags', label: 'Tags' },
  { view: 'attachments', path: '/attachments', label: 'Attachments' },
  { view: 'feedback', path: '/feedback', label: 'Feedback' },
  { view: 'activity', path: '/activity', label: 'Activity' },
  { view: 'similar', path: '/similar', label: 'Similar' },
  { view: 'grouping', path: '/grouping', label: 'Grouping' },
] as const;

type IssueView = (typeof VIEWS)[number]['view'];

/** The views of an issue, each with its own address. */
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
