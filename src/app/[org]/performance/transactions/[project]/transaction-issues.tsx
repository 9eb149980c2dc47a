import { IssueListCard, IssueSummary } from '#app/[org]/issues/issue-summaries.tsx';
import { LoadError } from '#app/shell/panel.tsx';
import { filterEntries, withQuery } from '#app/url-state.ts';
import type { OrUnavailable } from '#lib/or-unavailable.ts';
import type { IssueList } from '#product/issues/list-issues.ts';
import { formatCount, formatPlural } from '#ui/format-number.ts';
import type { TransactionPlace } from './transaction-place.ts';

/** Unresolved issues whose events name the transaction. */
export function TransactionIssues({
  place: { organizationSlug, projectSlug, state },
  query,
  issues,
}: {
  place: TransactionPlace;
  /** The search that finds them. */
  query: string;
  issues: OrUnavailable<IssueList>;
}) {
  if (!issues.ok) return <LoadError what="the issues">{issues.reason}</LoadError>;
  const listed = issues.value.issues;
  const all = withQuery(`/${organizationSlug}/issues`, {
    ...filterEntries({ ...state.filters, projects: [projectSlug] }),
    query,
  });
  return (
    <IssueListCard
      id="issues"
      title="Issues of this transaction"
      total={null}
      all={{ href: all, label: 'View all issues' }}
      isEmpty={listed.length === 0}
      empty="No unresolved issue has events of this transaction in the selected time range."
    >
      <ul>
        {listed.map((issue) => (
          <li key={issue.id} className="border-b last:border-b-0">
            <IssueSummary organizationSlug={organizationSlug} issue={issue}>
              {issue.activity ? (
                <span
                  className="numbers shrink-0 text-sm"
                  title={formatPlural(issue.activity.events, 'event')}
                >
                  {formatCount(issue.activity.events)}
                </span>
              ) : null}
            </IssueSummary>
          </li>
        ))}
      </ul>
    </IssueListCard>
  );
}
