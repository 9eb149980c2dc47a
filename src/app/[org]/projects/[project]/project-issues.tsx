import { ArrowRight, Inbox } from 'lucide-react';
import { IssueSummaries } from '#app/[org]/issues/issue-summaries.tsx';
import type { IssueRow } from '#product/issues/list-issues.ts';
import { Card } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Link } from '#ui/navigation/link.tsx';

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
        <IssueSummaries organizationSlug={organizationSlug} issues={issues} now={now} />
      )}
    </Card>
  );
}
