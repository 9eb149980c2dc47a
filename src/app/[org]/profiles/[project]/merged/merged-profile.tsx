import { Flame } from 'lucide-react';
import type { MergedPlace } from '#app/[org]/profile-href.ts';
import { transactionHref } from '#app/[org]/transaction-href.ts';
import { EmptyPanel, LoadError } from '#app/shell/panel.tsx';
import { withQuery } from '#app/url-state.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { visibleData } from '#lib/visible-text.ts';
import type { Context } from '#product/context.ts';
import { MERGED_PROFILES_MAX } from '#product/profiles/choose-profiles.ts';
import { type MergeQuestion, openMergedProfile } from '#product/profiles/open-merged-profile.ts';
import { getServices } from '#product/services.ts';
import { formatElapsed } from '#ui/format-elapsed.ts';
import { formatExact, formatPlural } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { Notice } from '#ui/notice.tsx';
import { UnmappedNotice } from '../../unmapped-notice.tsx';
import { ProfileView } from '../../view/profile-view.tsx';

const LINK = 'text-accent underline-offset-2 hover:underline';

/** The merged profiles, and of how many they are. */
export async function MergedProfile({
  ctx,
  place,
  question,
}: {
  ctx: Context;
  place: MergedPlace;
  question: MergeQuestion;
}) {
  const opened = await orUnavailable(openMergedProfile(ctx, getServices().symbols, question));
  if (!opened.ok) return <LoadError what="the profiles">{opened.reason}</LoadError>;
  const { thread, profiles, total, samples, rows, leftOut, isCutShort, unmapped } = opened.value;
  if (profiles === 0) {
    return (
      <EmptyPanel
        icon={<Flame />}
        title={
          total === 0 ? 'No profiles in the selected time range' : 'None of these profiles can be merged'
        }
      >
        {total === 0
          ? 'SDKs send the profiles of sampled transactions once profiling is on: set profilesSampleRate, or profileSessionSampleRate for continuous profiling.'
          : 'They are in a format of their own, have no samples of the transaction’s thread, or are not stored.'}
      </EmptyPanel>
    );
  }
  const { organizationSlug, projectSlug, transaction, filters } = place;
  return (
    <div className="flex flex-col gap-4">
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1.5 text-sm text-text-muted">
        <span className="numbers font-medium text-text">
          {profiles === total
            ? formatPlural(total, 'profile')
            : `${formatExact(profiles)} of ${formatPlural(total, 'profile')}`}
        </span>
        <span className="numbers">{formatPlural(samples, 'sample')}</span>
        <span className="numbers">{formatElapsed(thread.durationUs)} in all</span>
        {transaction === null ? null : (
          <Link href={transactionHref(organizationSlug, projectSlug, transaction, filters)} className={LINK}>
            Transaction
          </Link>
        )}
        {transaction === null || rows.some(({ kind }) => kind === 'profile') ? (
          <Link
            href={withQuery(`/${organizationSlug}/explore/profiles`, {
              project: projectSlug,
              query: transaction,
            })}
            className={LINK}
          >
            List of profiles
          </Link>
        ) : null}
      </p>
      {isCutShort ? (
        <Notice tone="warning" title={`Only ${formatPlural(profiles, 'profile')} could be merged in time`}>
          Merging up to {MERGED_PROFILES_MAX} profiles would have taken too long or too much memory. Those
          that were merged are spread evenly over the time range.
        </Notice>
      ) : null}
      {leftOut > 0 ? (
        <Notice title={`${formatPlural(leftOut, 'chosen profile')} left out`}>
          They are too large, in another format, have too few samples of the transaction’s thread, or are not
          stored.
        </Notice>
      ) : null}
      {thread.isCut ? (
        <Notice tone="warning" title="Parts of these profiles are left out">
          They have more samples, functions, or nested calls than a page shows.
        </Notice>
      ) : null}
      <UnmappedNotice unmapped={unmapped} />
      <ProfileView thread={{ ...thread, frames: visibleData(thread.frames) }} threads={null} threadId="" />
    </div>
  );
}
