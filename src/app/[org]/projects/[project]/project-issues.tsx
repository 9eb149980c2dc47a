import { ArrowRight, Inbox } from 'lucide-react';
import { visibleText } from '#lib/visible-text.ts';
import type { IssueRow } from '#product/issues/list-issues.ts';
import { Card } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { formatCount, formatPlural } from '#ui/format-number.ts';
import { LevelMark } from '#ui/level-badge.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

/** The unresolved issues that happened most. */
export function ProjectIssues({
  organizationSlug,
  issues,
  allHref,
  hasEvents,
  now,
}: {
  organizationSlug: string;
  issues: readonly IssueRow[];
  allHref: string;
  hasEvents: boolean;
  now: number;
}) {
  return (
    <Card
      flush
      id="top-issues"
      title="Unresolved, most events first"
      actions={
        <Link
          href={allHref}
          className="flex items-center gap-1 text-accent text-sm underline underline-offset-2"
        >
          All issues
          <ArrowRight aria-hidden className="size-3.5" />
        </Link>
      }
    >
      {issues.length === 0 ? (
        <EmptyState icon={<Inbox />} title="Nothing unresolved">
          {hasEvents
            ? 'No unresolved issue of this project happened in the chosen time.'
            : 'Issues appear here as soon as the program reports its first error.'}
        </EmptyState>
      ) : (
        <ul>
          {issues.map((issue) => (
            <li key={issue.id} className="border-b last:border-b-0">
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
        </ul>
      )}
    </Card>
  );
}
