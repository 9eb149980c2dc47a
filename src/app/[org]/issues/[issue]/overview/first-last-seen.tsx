import type { ReactNode } from 'react';
import { CommitLine } from '#app/[org]/commit-line.tsx';
import { releaseHref } from '#app/[org]/release-name.tsx';
import type { Issue } from '#domain/issues/issue.ts';
import { shortenHashes } from '#lib/shorten-hashes.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { SuspectCommit } from '#product/suspect-commits/find-suspect-commits.ts';
import { Card } from '#ui/card.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

/** Since when and in which releases it happens, and what that says. */
export function FirstLastSeen({
  issue,
  newestRelease,
  isInNewest,
  suspects,
  organizationSlug,
  now,
}: {
  issue: Issue;
  /** Of the issue's package; null before any. */
  newestRelease: string | null;
  /** Whether the issue was ever seen in it. */
  isInNewest: boolean;
  /** Commits that may have caused it, the likeliest first. */
  suspects: readonly SuspectCommit[];
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
          <bdi title={version}>{shortenHashes(version)}</bdi>
        </Link>
      </>
    );
  const note = changeNote(issue, newestRelease, isInNewest);
  return (
    <Card id="first-last-seen" title="First and last seen">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1.5 text-sm">
        <dt className="text-text-muted">First seen</dt>
        <dd>
          <RelativeTime at={issue.firstSeen} now={now} />
          {release(issue.firstRelease)}
        </dd>
        <dt className="text-text-muted">Last seen</dt>
        <dd>
          <RelativeTime at={issue.lastSeen} now={now} />
          {release(issue.lastRelease)}
        </dd>
        {issue.substatusAt !== null &&
        (issue.substatus === 'regressed' || issue.substatus === 'escalating') ? (
          <>
            <dt className="text-text-muted">
              {issue.substatus === 'regressed' ? 'Regressed' : 'Escalating'}
            </dt>
            <dd>
              since <RelativeTime at={issue.substatusAt} now={now} />
            </dd>
          </>
        ) : null}
      </dl>
      {suspects.length > 0 ? <Suspects suspects={suspects} now={now} /> : null}
      {note ? (
        <p className="break-anything mt-2 text-sm text-text-muted" title={note}>
          {shortenHashes(note)}
        </p>
      ) : null}
    </Card>
  );
}

const SUSPECTS_SHOWN = 3;

function Suspects({ suspects, now }: { suspects: readonly SuspectCommit[]; now: number }) {
  return (
    <section aria-labelledby="suspect-commits" className="mt-3 border-t pt-2.5">
      <h3 id="suspect-commits" className="mb-1.5 font-medium text-xs text-text-muted">
        {suspects.length === 1 ? 'Suspect commit' : 'Suspect commits'}
      </h3>
      <ul className="flex flex-col gap-2.5">
        {suspects.slice(0, SUSPECTS_SHOWN).map(({ commit, files, why }) => (
          <li key={commit.id}>
            <CommitLine commit={commit} now={now} />
            <p className="break-anything text-text-muted text-xs" title={files.map(visibleText).join('\n')}>
              {why}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What the releases of an issue say, in a sentence; null when they say nothing. `newest` is that of its package. */
export function changeNote(
  { firstRelease, lastRelease }: Pick<Issue, 'firstRelease' | 'lastRelease'>,
  newest: string | null,
  isInNewest: boolean,
): string | null {
  if (newest === null) return null;
  if (lastRelease === null) return 'The last event has no release.';
  if (firstRelease === newest) return 'New in the latest release.';
  if (lastRelease === newest) return 'Still happening in the latest release.';
  return `${isInNewest ? 'Also seen' : 'Not seen'} in the latest release, ${newest}.`;
}
