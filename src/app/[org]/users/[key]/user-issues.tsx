import { IssueListCard, IssueSummary } from '#app/[org]/issues/issue-summaries.tsx';
import { searchTerm } from '#app/[org]/search-box/search-term.ts';
import { type QueryEntries, withQuery } from '#app/url-state.ts';
import type { UserActivity } from '#product/users/get-user.ts';
import type { UserKey } from '#storage/ports/user-activity.ts';
import { formatCount, formatPlural } from '#ui/format-number.ts';
import { RelativeTime } from '#ui/relative-time.tsx';

const ISSUES_SHOWN = 20;

/** Issues that happened to the user, each with how often it did. */
export function UserIssues({
  organizationSlug,
  userKey: { kind, value },
  issues,
  entries,
  now,
}: {
  organizationSlug: string;
  userKey: UserKey;
  issues: UserActivity['issues'];
  entries: QueryEntries;
  now: number;
}) {
  const rest = issues.length - ISSUES_SHOWN;
  return (
    <IssueListCard
      id="issues"
      title="Issues"
      total={issues.length}
      all={{
        href: withQuery(`/${organizationSlug}/issues`, {
          ...entries,
          query: searchTerm(`user.${kind}`, value),
        }),
        label: 'View in issues',
      }}
      isEmpty={issues.length === 0}
      empty="No errors of this user in the selected time range."
    >
      <ul>
        {issues.slice(0, ISSUES_SHOWN).map(({ issue, events, lastSeen }) => (
          <li key={issue.id} className="border-b last:border-b-0">
            <IssueSummary organizationSlug={organizationSlug} issue={issue}>
              <span
                className="numbers shrink-0 text-sm"
                title={`${formatPlural(events, 'event')} of this user in the selected time range`}
              >
                {formatCount(events)}
              </span>
              <RelativeTime
                at={lastSeen}
                now={now}
                variant="short"
                className="numbers w-8 shrink-0 text-right text-text-muted text-xs"
              />
            </IssueSummary>
          </li>
        ))}
        {rest > 0 ? (
          <li className="px-4 py-2 text-text-muted text-xs">and {formatPlural(rest, 'more issue')}</li>
        ) : null}
      </ul>
    </IssueListCard>
  );
}
