import type { ReactNode } from 'react';
import type { Issue } from '#domain/issues/issue.ts';
import { Link } from '#ui/navigation/link.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { issueTitle } from '../issue-view.ts';
import { type IssueView, IssueViews } from './issue-views.tsx';

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
