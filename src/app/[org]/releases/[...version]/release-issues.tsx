import type { ReactNode } from 'react';
import { visibleText } from '#lib/visible-text.ts';
import type { ListedIssues } from '#product/releases/list-release-issues.ts';
import { Card } from '#ui/card.tsx';
import { formatCount, formatPlural } from '#ui/format-number.ts';
import { LevelMark } from '#ui/level-badge.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

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
        <ul>
          {listed.issues.map((issue) => (
            <li key={issue.id} className="border-b last:border-b-0">
              <Link
                href={`/${organizationSlug}/issues/${issue.shortId}`}
                className="flex items-center gap-3 px-4 py-2 text-text no-underline transition-colors hover:bg-surface-hover"
              >
                <LevelMark level={issue.level} />
                <span className="min-w-0 flex-1">
                  <bdi className="block truncate font-medium text-sm">{visibleText(issue.title)}</bdi>
                  <span className="block truncate text-text-muted text-xs">
                    {issue.shortId}
                    {issue.culprit ? (
                      <>
                        {' · '}
                        <bdi>{visibleText(issue.culprit)}</bdi>
                      </>
                    ) : null}
                  </span>
                </span>
                <span
                  className="numbers shrink-0 text-sm"
                  title={`${formatPlural(issue.timesSeen, 'event')} so far`}
                >
                  {formatCount(issue.timesSeen)}
                </span>
                <RelativeTime
                  at={issue.lastSeen}
                  now={now}
                  look="short"
                  className="numbers w-8 shrink-0 text-right text-text-muted text-xs"
                />
              </Link>
            </li>
          ))}
          {rest > 0 ? (
            <li className="px-4 py-2 text-text-muted text-xs">and {formatPlural(rest, 'more issue')}</li>
          ) : null}
        </ul>
      )}
    </Card>
  );
}
