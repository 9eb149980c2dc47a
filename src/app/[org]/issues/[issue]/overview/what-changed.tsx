import type { ReactNode } from 'react';
import { releaseHref } from '#app/[org]/releases/release-href.ts';
import type { Issue } from '#storage/ports/issues.ts';
import { Card } from '#ui/card.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { changeNote } from './change-note.ts';

/** Since when and in which releases it happens, and what that says. */
export function WhatChanged({
  issue,
  newestRelease,
  organizationSlug,
  now,
}: {
  issue: Issue;
  /** Of the issue's project; null before any. */
  newestRelease: string | null;
  organizationSlug: string;
  now: number;
}) {
  const release = (version: string | null): ReactNode =>
    version === null ? null : (
      <>
        {' in '}
        <Link
          href={releaseHref(organizationSlug, version)}
          className="break-anything text-accent underline-offset-2 hover:underline"
        >
          <bdi>{version}</bdi>
        </Link>
      </>
    );
  const note = changeNote(issue, newestRelease);
  return (
    <Card id="what-changed" title="What changed">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1.5 text-sm">
        <dt className="text-text-muted">First</dt>
        <dd>
          <RelativeTime at={issue.firstSeen} now={now} />
          {release(issue.firstRelease)}
        </dd>
        <dt className="text-text-muted">Last</dt>
        <dd>
          <RelativeTime at={issue.lastSeen} now={now} />
          {release(issue.lastRelease)}
        </dd>
        {issue.substatusAt !== null &&
        (issue.substatus === 'regressed' || issue.substatus === 'escalating') ? (
          <>
            <dt className="text-text-muted">{issue.substatus === 'regressed' ? 'Back' : 'Escalating'}</dt>
            <dd>
              since <RelativeTime at={issue.substatusAt} now={now} />
            </dd>
          </>
        ) : null}
      </dl>
      {note ? <p className="break-anything mt-2 text-sm text-text-muted">{note}</p> : null}
    </Card>
  );
}
