import { CountedIssues, IssueListCard } from '#app/[org]/issues/issue-summaries.tsx';
import { searchTerm } from '#app/[org]/search-box/search-term.ts';
import { type QueryEntries, withQuery } from '#app/url-state.ts';
import type { UserActivity } from '#product/users/get-user.ts';
import type { UserKey } from '#storage/ports/user-activity.ts';
import { formatPlural } from '#ui/format-number.ts';

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
      <CountedIssues
        organizationSlug={organizationSlug}
        issues={issues.slice(0, ISSUES_SHOWN)}
        counted="of this user in the selected time range"
        now={now}
      >
        {rest > 0 ? (
          <li className="px-4 py-2 text-text-muted text-xs">and {formatPlural(rest, 'more issue')}</li>
        ) : null}
      </CountedIssues>
    </IssueListCard>
  );
}
