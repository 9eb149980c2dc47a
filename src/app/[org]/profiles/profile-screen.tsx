import { Flame } from 'lucide-react';
import { mergedHref } from '#app/[org]/profile-href.ts';
import { orNotFound } from '#app/or-not-found.ts';
import { EmptyPanel, LoadError } from '#app/shell/panel.tsx';
import { parseTime } from '#app/url-state.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { visibleData } from '#lib/visible-text.ts';
import type { OpenedProfile } from '#product/profiles/open-profile.ts';
import { OPENED_CHUNKS_MAX, OPENED_PROFILE_BYTES_MAX } from '#product/profiles/profile-bodies.ts';
import { buttonClass } from '#ui/button.tsx';
import { formatElapsed } from '#ui/format-elapsed.ts';
import { formatPlural } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { Notice } from '#ui/notice.tsx';
import { Page } from '#ui/page-header.tsx';
import { ExactTime, RelativeTime } from '#ui/relative-time.tsx';
import { UnmappedNotice } from './unmapped-notice.tsx';
import { ProfileView } from './view/profile-view.tsx';

/** A profile: what it is of, and the views of one of its threads. */
export async function ProfileScreen({
  organizationSlug,
  projectSlug,
  opening,
  now,
}: {
  organizationSlug: string;
  projectSlug: string;
  opening: Promise<OpenedProfile>;
  now: number;
}) {
  const opened = await orUnavailable(orNotFound(opening));
  if (!opened.ok) {
    return (
      <Page title="Profile">
        <LoadError what="the profile">{opened.reason}</LoadError>
      </Page>
    );
  }
  const { thread, threads, threadId, problem, hasMoreChunks, chunks, unmapped, ...facts } = opened.value;
  const profile = visibleData(facts.profile);
  const download = `/api/0/projects/${organizationSlug}/${projectSlug}/profiles/${profile.profileId}/?download=1`;
  return (
    <Page
      title={
        <bdi className="break-anything">
          {profile.transactionName ?? `Profiler ${profile.profilerId?.slice(0, 8) ?? ''}`}
        </bdi>
      }
      actions={
        chunks <= 1 && problem !== 'deleted' ? (
          // A download: the client's own navigation would take it for a page.
          <>
            {thread ? (
              <a href={`${download}&format=speedscope`} download className={buttonClass()}>
                Download for speedscope
              </a>
            ) : null}
            <a href={download} download className={buttonClass()}>
              Download JSON
            </a>
          </>
        ) : null
      }
    >
      <div className="-mt-3 mb-4 flex flex-wrap items-center gap-x-4 gap-y-1.5 text-sm text-text-muted">
        <span>
          <ExactTime at={facts.range.fromMs} /> (<RelativeTime at={facts.range.fromMs} now={now} />)
        </span>
        {thread ? (
          <span className="numbers font-medium text-text">{formatElapsed(thread.durationUs)}</span>
        ) : null}
        <span>{projectSlug}</span>
        <span>{profile.platform}</span>
        {profile.release ? <bdi className="break-anything">{profile.release}</bdi> : null}
        {profile.environment ? <bdi>{profile.environment}</bdi> : null}
        {chunks > 1 ? <span className="numbers">{formatPlural(chunks, 'chunk')}</span> : null}
        {profile.traceId ? (
          <Link
            href={`/${organizationSlug}/traces/${profile.traceId}`}
            className="text-accent underline-offset-2 hover:underline"
          >
            Trace
          </Link>
        ) : null}
        <Link
          href={mergedHref({
            organizationSlug,
            projectSlug,
            transaction: facts.profile.transactionName,
            filters: { projects: [], environments: [], time: parseTime({}) },
          })}
          className="text-accent underline-offset-2 hover:underline"
        >
          Merged flame graph
        </Link>
      </div>
      <div className="flex flex-col gap-4">
        {hasMoreChunks ? (
          <Notice tone="warning" title={`Only the newest ${formatPlural(chunks, 'chunk')} are shown`}>
            A page opens at most {OPENED_CHUNKS_MAX} chunks and {OPENED_PROFILE_BYTES_MAX / MIB} MiB. Choose a
            shorter time.
          </Notice>
        ) : null}
        {thread?.isCut ? (
          <Notice tone="warning" title="Parts of this profile are left out">
            It has more samples, functions, or nested calls than a page shows.
          </Notice>
        ) : null}
        <UnmappedNotice unmapped={unmapped} />
        {thread !== null && threadId !== null && thread.runs.nodes.length > 0 ? (
          <ProfileView
            key={threadId}
            thread={{ ...thread, frames: visibleData(thread.frames) }}
            threads={visibleData(threads)}
            threadId={threadId}
          />
        ) : (
          <EmptyPanel icon={<Flame />} title={EMPTY[problem ?? 'samples'].title}>
            {EMPTY[problem ?? 'samples'].text}
          </EmptyPanel>
        )}
      </div>
    </Page>
  );
}

const MIB = 1024 * 1024;

const EMPTY: Readonly<
  Record<NonNullable<OpenedProfile['problem']> | 'samples', { title: string; text: string }>
> = {
  samples: {
    title: 'Too few samples',
    text: 'A profile needs at least two samples of a thread to show how long something took.',
  },
  'too-large': {
    title: 'This profile is too large to show',
    text: `A page opens profiles of up to ${OPENED_PROFILE_BYTES_MAX / MIB} MiB. Download it to read it with another program.`,
  },
  format: {
    title: 'This format can’t be shown',
    text: 'The page reads the sample format of Sentry’s SDKs. Android’s own trace format, and profiles that are not valid JSON, can only be downloaded.',
  },
  deleted: {
    title: 'The samples are no longer stored',
    text: 'They are past their retention period, or were deleted to free up disk space.',
  },
};
