import { GitMerge } from 'lucide-react';
import type { Metadata } from 'next';
import { EmptyPanel, LoadError } from '#app/shell/panel.tsx';
import type { PageRequest } from '#app/url-state.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { visibleText } from '#lib/visible-text.ts';
import { listSimilarIssues, SIMILARITY_MIN } from '#product/grouping/list-similar-issues.ts';
import { hasRight } from '#product/permissions.ts';
import { formatShare } from '#ui/format-number.ts';
import { issueTitle } from '../../issue-view.ts';
import { readIssueFilter, readIssueRequest } from '../issue-request.ts';
import { IssueViewPage } from '../issue-view-page.tsx';
import { SimilarTable } from './similar-table.tsx';

export const metadata: Metadata = { title: 'Similar issues' };

/** Issues that may be the same problem. */
export default async function SimilarIssuesPage({ params, searchParams }: PageRequest<'org' | 'issue'>) {
  const request = await readIssueRequest(params);
  const { ctx, issue } = request;
  const filter = await readIssueFilter(request, await searchParams);
  const similar = await orUnavailable(listSimilarIssues(ctx, issue));
  return (
    <IssueViewPage request={request} view="similar" filter={filter}>
      {!similar.ok ? (
        <LoadError what="similar issues">{similar.reason}</LoadError>
      ) : similar.value.length === 0 ? (
        <EmptyPanel icon={<GitMerge />} title="No similar issues">
          No other recent issue in this project shares at least {formatShare(SIMILARITY_MIN, 1)} of its
          message or stack trace with this one.
        </EmptyPanel>
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
          similarityMin={SIMILARITY_MIN}
          now={ctx.now()}
          canMerge={hasRight(ctx.actor, 'event:write')}
        />
      )}
    </IssueViewPage>
  );
}
