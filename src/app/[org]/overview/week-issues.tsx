import { IssueListCard, IssueSummary } from '#app/[org]/issues/issue-summaries.tsx';
import type { OverviewIssue } from '#product/overview/get-week-overview.ts';
import { formatCount, formatPlural } from '#ui/format-number.ts';
import { Sparkline } from '#ui/sparkline.tsx';

/** Issues that have something in common, with what the week brought of each. */
export function WeekIssues({
  organizationSlug,
  id,
  title,
  total,
  issues,
  allHref = null,
  empty,
}: {
  organizationSlug: string;
  id: string;
  title: string;
  /** null where there is no end to count. */
  total: number | null;
  issues: readonly OverviewIssue[];
  /** Where all of them are; null where no search finds them. */
  allHref?: string | null;
  /** What it means that there are none. */
  empty: string;
}) {
  return (
    <IssueListCard
      id={id}
      title={title}
      total={total}
      all={allHref === null ? null : { href: allHref, label: 'Show all' }}
      isEmpty={issues.length === 0}
      empty={empty}
    >
      <ul className="divide-y">
        {issues.map((issue) => (
          <li key={issue.id}>
            <IssueSummary organizationSlug={organizationSlug} issue={issue}>
              {issue.week ? (
                <>
                  <span className="w-16 shrink-0 max-sm:hidden">
                    <Sparkline values={issue.week.days} label="Events per day" />
                  </span>
                  <span
                    className="numbers w-12 shrink-0 text-right text-sm"
                    title={`${formatPlural(issue.week.events, 'event')} and ${formatPlural(issue.week.users, 'user')} this week`}
                  >
                    {formatCount(issue.week.events)}
                  </span>
                </>
              ) : null}
            </IssueSummary>
          </li>
        ))}
      </ul>
    </IssueListCard>
  );
}
