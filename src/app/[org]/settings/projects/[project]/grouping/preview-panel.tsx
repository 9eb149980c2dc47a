'use client';

import type { ReactNode } from 'react';
import { visibleText } from '#lib/visible-text.ts';
import type { PreviewIssue, RegroupPreview } from '#product/grouping/describe-preview.ts';
import { formatExact, formatPlural } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { Notice } from '#ui/notice.tsx';

/** How the rules would regroup the checked issues, with links to them. */
export function PreviewPanel({ orgSlug, preview }: { orgSlug: string; preview: RegroupPreview }) {
  const { issuesSeen, issuesInPeriod, issuesAfter, eventsSeen, mergeCount, splitCount, titleCount } = preview;
  const nothing = mergeCount + splitCount + titleCount === 0;
  return (
    <section aria-label="Preview" className="flex flex-col gap-4 rounded-md border bg-surface p-4">
      <div>
        <p className="numbers font-semibold text-lg">
          {formatPlural(issuesSeen, 'issue')} → {formatExact(issuesAfter)}
        </p>
        <p className="text-text-muted text-xs">
          Checked {formatPlural(eventsSeen, 'event')} from {formatExact(issuesSeen)} of{' '}
          {formatPlural(issuesInPeriod, 'issue')} in {(preview.tookMs / 1_000).toFixed(1)} s, starting with
          the newest of each.
        </p>
      </div>
      {issuesSeen === 0 ? (
        <Notice title="No stored events with details in this period">Choose a longer period.</Notice>
      ) : nothing ? (
        <Notice tone="success" title="These rules would not change any of them" />
      ) : null}
      {mergeCount > 0 ? (
        <Part title={`${formatPlural(mergeCount, 'merge')}`} shown={preview.merges.length} count={mergeCount}>
          {preview.merges.map(({ into, issues, count }) => (
            <li key={into.issueId} className="py-2">
              <p className="text-sm">
                {formatPlural(count, 'issue')} become <IssueLink orgSlug={orgSlug} issue={into} />
              </p>
              <ul className="mt-1 ml-4 flex flex-col gap-0.5 text-xs">
                {issues.map((issue) => (
                  <li key={issue.issueId}>
                    <IssueLink orgSlug={orgSlug} issue={issue} />
                  </li>
                ))}
                {count - 1 > issues.length ? (
                  <li className="text-text-muted">and {formatExact(count - 1 - issues.length)} more</li>
                ) : null}
              </ul>
            </li>
          ))}
        </Part>
      ) : null}
      {splitCount > 0 ? (
        <Part title={`${formatPlural(splitCount, 'split')}`} shown={preview.splits.length} count={splitCount}>
          {preview.splits.map(({ issue, parts }) => (
            <li key={issue.issueId} className="py-2">
              <p className="text-sm">
                <IssueLink orgSlug={orgSlug} issue={issue} /> would be split
              </p>
              <ul className="mt-1 ml-4 flex flex-col gap-0.5 text-xs">
                {parts.map((part) => (
                  <li key={part.eventId}>
                    <Link
                      href={`/${orgSlug}/issues/${issue.shortId}/events/${part.eventId}`}
                      className="break-anything text-accent underline-offset-2 hover:underline"
                    >
                      <bdi>{visibleText(part.title)}</bdi>
                    </Link>{' '}
                    <span className="text-text-muted">{part.stays ? 'stays' : 'leaves'}</span>
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </Part>
      ) : null}
      {titleCount > 0 ? (
        <Part
          title={`${formatPlural(titleCount, 'new title')}`}
          shown={preview.titles.length}
          count={titleCount}
        >
          {preview.titles.map(({ issue, title }) => (
            <li key={issue.issueId} className="py-1.5 text-xs">
              <IssueLink orgSlug={orgSlug} issue={issue} /> →{' '}
              <bdi className="break-anything">{visibleText(title)}</bdi>
            </li>
          ))}
        </Part>
      ) : null}
    </section>
  );
}

function Part({
  title,
  shown,
  count,
  children,
}: {
  title: string;
  shown: number;
  count: number;
  children: ReactNode;
}) {
  return (
    <section>
      <h3 className="border-b pb-1 font-medium text-sm">{title}</h3>
      <ul className="divide-y">{children}</ul>
      {count > shown ? (
        <p className="text-text-muted text-xs">and {formatExact(count - shown)} more</p>
      ) : null}
    </section>
  );
}

function IssueLink({ orgSlug, issue }: { orgSlug: string; issue: PreviewIssue }) {
  return (
    <Link
      href={`/${orgSlug}/issues/${issue.shortId}`}
      className="break-anything text-accent underline-offset-2 hover:underline"
    >
      <span className="mono text-xs">{issue.shortId}</span> <bdi>{visibleText(issue.title)}</bdi>
    </Link>
  );
}
