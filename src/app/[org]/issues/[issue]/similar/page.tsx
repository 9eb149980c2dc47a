import { GitMerge } from 'lucide-react';
import type { Metadata } from 'next';
import type { PageRequest } from '#app/url-state.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { visibleText } from '#lib/visible-text.ts';
import { listSimilarIssues } from '#product/grouping/list-similar-issues.ts';
import { hasRight } from '#product/permissions.ts';
import { EmptyState } from '#ui/empty-state.tsx';
import { Notice } from '#ui/notice.tsx';
import { PageBody } from '#ui/page-header.tsx';
import { ReloadButton } from '#ui/reload-button.tsx';
import { issueTitle } from '../../issue-view.ts';
import { getIssueRequest } from '../issue-request.ts';
import { IssueViewHeader } from '../issue-view-header.tsx';
import { SimilarTable } from './similar-table.tsx';

export const metadata: Metadata = { title: 'Similar issues' };

/** Issues that may be the same problem. */
export default async function SimilarIssuesPage({ params }: PageRequest<'org' | 'issue'>) {
  const { org, issue: reference } = await params;
  const { ctx, issue } = await getIssueRequest(org, reference);
  const similar = await orUnavailable(listSimilarIssues(ctx, issue));
  return (
    <PageBody>
      <IssueViewHeader
        issue={issue}
        organizationSlug={ctx.organization.slug}
        view="similar"
        title={`Similar to ${issue.shortId}`}
      />
      {!similar.ok ? (
        <Notice tone="warning" title="Couldn’t load similar issues" actions={<ReloadButton />}>
          {similar.reason}
        </Notice>
      ) : similar.value.length === 0 ? (
        <div className="rounded-lg border bg-surface-raised">
          <EmptyState icon={<GitMerge />} title="No similar issues">
            Compared by title and stack trace with the most recently seen issues of this project.
          </EmptyState>
        </div>
      ) : (
        <SimilarTable
          organizationSlug={ctx.organization.slug}
          issue={{ id: issue.id, shortId: issue.shortId }}
          similar={similar.value.map(({ issue: other, title, grouping }) => ({
            id: other.id,
            shortId: other.shortId,
            ...issueTitle(other),
            culprit: visibleText(other.culprit),
            timesSeen: other.timesSeen,
            lastSeen: other.lastSeen,
            titleAlike: title,
            groupingAlike: grouping,
          }))}
          now={ctx.now()}
          canMerge={hasRight(ctx.actor, 'event:write')}
        />
      )}
    </PageBody>
  );
}
