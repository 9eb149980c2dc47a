import { GitMerge } from 'lucide-react';
import type { Metadata } from 'next';
import { settle } from '#lib/settle.ts';
import { listSimilarIssues } from '#product/grouping/list-similar-issues.ts';
import { hasRight } from '#product/permissions.ts';
import { ButtonLink } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Link } from '#ui/link.tsx';
import { Notice } from '#ui/notice.tsx';
import { PageBody, PageHeader } from '#ui/page-header.tsx';
import { ReloadButton } from '#ui/reload-button.tsx';
import { issueTitle } from '../../issue-view.ts';
import { getIssueRequest } from '../issue-request.ts';
import { SimilarTable } from './similar-table.tsx';

export const metadata: Metadata = { title: 'Similar issues' };

/** Issues that may be the same problem. */
export default async function SimilarIssuesPage({
  params,
}: {
  params: Promise<{ org: string; issue: string }>;
}) {
  const { org, issue: reference } = await params;
  const { ctx, issue } = await getIssueRequest(org, reference);
  const similar = await settle(listSimilarIssues(ctx, issue));
  const base = `/${ctx.organization.slug}/issues/${issue.shortId}`;
  const { heading, message } = issueTitle(issue);
  return (
    <PageBody>
      <PageHeader
        title={`Similar to ${issue.shortId}`}
        description={
          <Link href={base} className="break-anything text-text-muted no-underline hover:underline">
            <bdi className="font-medium text-text">{heading}</bdi> <bdi>{message}</bdi>
          </Link>
        }
        actions={<ButtonLink href={`${base}/grouping`}>Grouping</ButtonLink>}
      />
      {!similar.ok ? (
        <Notice tone="warning" title="Similar issues cannot be looked for now" actions={<ReloadButton />}>
          {similar.reason}
        </Notice>
      ) : similar.value.length === 0 ? (
        <div className="rounded-lg border bg-surface-raised">
          <EmptyState icon={<GitMerge />} title="No other issue is like this one">
            Titles and what was hashed were compared with the issues of the project that were seen last.
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
            culprit: other.culprit,
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
