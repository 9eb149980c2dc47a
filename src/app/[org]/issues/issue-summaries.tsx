import type { ReactNode } from 'react';
import type { Issue } from '#domain/issues/issue.ts';
import { visibleText } from '#lib/visible-text.ts';
import { Card } from '#ui/card.tsx';
import { formatCount, formatPlural } from '#ui/format-number.ts';
import { LevelMark } from '#ui/level-badge.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

/** A card with a list of issues, how many there are, and a link to all of them; `empty` replaces an empty list. */
export function IssueListCard({
  id,
  title,
  total,
  all,
  isEmpty,
  empty,
  children,
}: {
  id: string;
  title: string;
  /** null where they are not counted. */
  total: number | null;
  /** The list of all of them; null where no search finds them. */
  all: { href: string; label: string } | null;
  isEmpty: boolean;
  empty: string;
  children: ReactNode;
}) {
  return (
    <Card
      flush
      id={id}
      title={
        <>
          {title}{' '}
          {total === null ? null : (
            <span className="numbers font-normal text-text-muted">{formatCount(total)}</span>
          )}
        </>
      }
      actions={
        all && !isEmpty ? (
          <Link href={all.href} className="text-accent text-sm underline underline-offset-2">
            {all.label}
          </Link>
        ) : null
      }
    >
      {isEmpty ? <p className="px-4 py-3 text-sm text-text-muted">{empty}</p> : children}
    </Card>
  );
}

/** An issue on the page of something else, with its events of that; null where they are not counted. */
export type CountedIssue = {
  issue: Pick<Issue, 'id' | 'shortId' | 'level' | 'title' | 'culprit'>;
  events: number | null;
  /** Milliseconds since the epoch. */
  lastSeen: number;
};

/** With all events that there were. */
export const countedSoFar = (issue: Issue): CountedIssue => ({
  issue,
  events: issue.timesSeen,
  lastSeen: issue.lastSeen,
});

/** A few issues on the page of something else, a line each; `children` follow as list items. */
export function CountedIssues({
  organizationSlug,
  issues,
  counted,
  now,
  children,
}: {
  organizationSlug: string;
  issues: readonly CountedIssue[];
  /** Which events are counted, as it follows their number: `so far`. */
  counted: string;
  now: number;
  children?: ReactNode;
}) {
  return (
    <ul>
      {issues.map(({ issue, events, lastSeen }) => (
        <li key={issue.id} className="border-b last:border-b-0">
          <IssueSummary organizationSlug={organizationSlug} issue={issue}>
            {events === null ? null : (
              <span
                className="numbers shrink-0 text-sm"
                title={`${formatPlural(events, 'event')} ${counted}`}
              >
                {formatCount(events)}
              </span>
            )}
            <RelativeTime
              at={lastSeen}
              now={now}
              variant="short"
              className="numbers w-8 shrink-0 text-right text-text-muted text-xs"
            />
          </IssueSummary>
        </li>
      ))}
      {children}
    </ul>
  );
}

/** The line of one issue, which leads to its page; `children` are its figures. */
export function IssueSummary({
  organizationSlug,
  issue: { shortId, level, title, culprit },
  children,
}: {
  organizationSlug: string;
  issue: Pick<Issue, 'shortId' | 'level' | 'title' | 'culprit'>;
  children: ReactNode;
}) {
  return (
    <Link
      href={`/${organizationSlug}/issues/${shortId}`}
      className="flex items-center gap-3 px-4 py-2.5 text-text no-underline transition-colors hover:bg-surface-hover"
    >
      <LevelMark level={level} />
      <span className="min-w-0 flex-1">
        <bdi className="block truncate font-medium text-sm">{visibleText(title)}</bdi>
        <span className="block truncate text-text-muted text-xs">
          {shortId}
          {culprit ? (
            <>
              {' · '}
              <bdi>{visibleText(culprit)}</bdi>
            </>
          ) : null}
        </span>
      </span>
      {children}
    </Link>
  );
}
