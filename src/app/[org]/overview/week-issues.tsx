import type { ReactNode } from 'react';
import { visibleText } from '#lib/visible-text.ts';
import type { OverviewIssue } from '#product/overview/get-week-overview.ts';
import { Card } from '#ui/card.tsx';
import { formatCount, formatPlural } from '#ui/format-number.ts';
import { LevelMark } from '#ui/level-badge.tsx';
import { Link } from '#ui/navigation/link.tsx';
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
  empty: ReactNode;
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
        allHref !== null && issues.length > 0 ? (
          <Link href={allHref} className="text-accent text-sm underline underline-offset-2">
            Show all
          </Link>
        ) : null
      }
    >
      {issues.length === 0 ? (
        <p className="px-4 py-3 text-sm text-text-muted">{empty}</p>
      ) : (
        <ul className="divide-y">
          {issues.map((issue) => (
            <li key={issue.id}>
              <Link
                href={`/${organizationSlug}/issues/${issue.shortId}`}
                className="flex items-center gap-3 px-4 py-2.5 text-text no-underline transition-colors hover:bg-surface-hover"
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
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
