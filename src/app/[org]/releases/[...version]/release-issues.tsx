import type { ReactNode } from 'react';
import { IssueSummaries } from '#app/[org]/issues/issue-summaries.tsx';
import type { ListedIssues } from '#product/releases/list-release-issues.ts';
import { Card } from '#ui/card.tsx';
import { formatCount, formatPlural } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';

/** Issues that have to do with a release in one way; `empty` says what it means that there are none. */
export function ReleaseIssuesCard({
  id,
  title,
  listed,
  organizationSlug,
  empty,
  allHref,
  now,
}: {
  id: string;
  title: string;
  listed: ListedIssues;
  organizationSlug: string;
  empty: ReactNode;
  /** The list of all of them; null where no search finds them. */
  allHref: string | null;
  now: number;
}) {
  const rest = listed.total - listed.issues.length;
  return (
    <Card
      flush
      id={id}
      title={
        <>
          {title} <span className="numbers font-normal text-text-muted">{formatCount(listed.total)}</span>
        </>
      }
      actions={
        allHref && listed.total > 0 ? (
          <Link href={allHref} className="text-accent text-sm underline underline-offset-2">
            Show in the list of issues
          </Link>
        ) : null
      }
    >
      {listed.issues.length === 0 ? (
        <p className="px-4 py-3 text-sm text-text-muted">{empty}</p>
      ) : (
        <IssueSummaries organizationSlug={organizationSlug} issues={listed.issues} now={now}>
          {rest > 0 ? (
            <li className="px-4 py-2 text-text-muted text-xs">and {formatPlural(rest, 'more issue')}</li>
          ) : null}
        </IssueSummaries>
      )}
    </Card>
  );
}
