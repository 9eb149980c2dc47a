import { Suspense } from 'react';
import { CountedIssues, countedSoFar, IssueListCard } from '#app/[org]/issues/issue-summaries.tsx';
import { releaseHref } from '#app/[org]/release-name.tsx';
import { LoadError } from '#app/shell/panel.tsx';
import { RangeBarChart } from '#app/shell/range-bar-chart.tsx';
import { filterEntries, type PageFilters, withQuery } from '#app/url-state.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { Context } from '#product/context.ts';
import {
  getReleaseActivity,
  type ReleaseActivity,
  type ReleaseDetails,
} from '#product/releases/get-release.ts';
import { getReleasePerformance } from '#product/releases/get-release-performance.ts';
import { getReleaseSessions } from '#product/releases/get-release-sessions.ts';
import { type ListedIssues, listReleaseIssues } from '#product/releases/list-releases.ts';
import { unlessTooMuch } from '#product/releases/unless-too-much.ts';
import { Card } from '#ui/card.tsx';
import { formatPlural } from '#ui/format-number.ts';
import { searchTerm } from '../../search-box/search-term.ts';
import { type Comparison, comparisonsOf } from './comparisons.ts';
import { ReleaseAdoption } from './release-adoption.tsx';
import { ReleaseEnvironments, ReleaseFacts } from './release-facts.tsx';
import { ReleaseFigures } from './release-figures.tsx';
import { ReleaseHealth } from './release-health.tsx';
import { ReleaseVerdict, VerdictSkeleton } from './release-verdict.tsx';

/** How a release is doing, what is new in it, and how that compares with the one before. */
export async function ReleaseOverview({
  ctx,
  release,
  filters,
  input,
  against,
}: {
  ctx: Context;
  release: ReleaseDetails;
  filters: PageFilters;
  input: Parameters<typeof getReleaseActivity>[1];
  /** What its sessions are compared with. */
  against: Comparison;
}) {
  const organizationSlug = ctx.organization.slug;
  const { version, older } = release;
  const now = ctx.now();
  const comparedWith = against === 'others' ? null : older?.version;
  const read = await orUnavailable(
    Promise.all([
      getReleaseActivity(ctx, input),
      listReleaseIssues(ctx, input),
      unlessTooMuch(
        getReleaseSessions(ctx, { ...input, projectSlugs: release.projectSlugs, comparedWith }),
        null,
      ),
      unlessTooMuch(
        getReleasePerformance(ctx, { ...input, versions: [version, ...(older ? [older.version] : [])] }),
        null,
      ),
    ]),
  );
  if (!read.ok) {
    return <LoadError what="the release">{read.reason}</LoadError>;
  }
  const [activity, issues, sessions, performance] = read.value;
  const here = releaseHref(organizationSlug, version);
  const issuesCard = { organizationSlug, now };
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
      <div className="flex min-w-0 flex-col gap-5">
        <Suspense fallback={<VerdictSkeleton />}>
          <ReleaseVerdict ctx={ctx} input={input} entries={filterEntries(filters)} />
        </Suspense>
        {sessions ? (
          <ReleaseHealth
            sessions={sessions}
            comparedName={against === 'others' ? 'All other releases' : (older?.version ?? '')}
            comparisons={comparisonsOf(here, filterEntries(filters), against, older !== null)}
          />
        ) : (
          <LoadError what="sessions">There are too many: choose a shorter time range.</LoadError>
        )}
        <ReleaseFigures
          organizationSlug={organizationSlug}
          release={release}
          entries={filterEntries(filters)}
          performance={performance ?? new Map()}
        />
        <Events activity={activity} release={release} />
        <ReleaseIssuesCard
          {...issuesCard}
          id="new-issues"
          title="New issues"
          listed={issues.new}
          empty="No new issues in this release."
          allHref={withQuery(`/${organizationSlug}/issues`, {
            project: filters.projects,
            range: '90d',
            query: searchTerm('firstRelease', version),
          })}
        />
        <ReleaseIssuesCard
          {...issuesCard}
          id="regressed-issues"
          title="Regressed in this release"
          listed={issues.regressed}
          empty="No regressions in this release."
        />
        <ReleaseIssuesCard
          {...issuesCard}
          id="resolved-issues"
          title="Resolved in this release"
          listed={issues.resolved}
          empty="No issues resolved in this release."
        />
      </div>
      <div className="flex min-w-0 flex-col gap-5">
        <ReleaseAdoption adoption={release.adoption} now={now} />
        <ReleaseFacts organizationSlug={organizationSlug} release={release} now={now} />
        <ReleaseEnvironments
          path={here}
          filters={filterEntries(filters)}
          environments={activity.environments}
        />
      </div>
    </div>
  );
}

function Events({ activity, release }: { activity: ReleaseActivity; release: ReleaseDetails }) {
  const { trend } = activity;
  return (
    <Card id="events" title="Events">
      <RangeBarChart
        label="Events"
        unit="events"
        height={120}
        fromMs={trend.range.fromMs}
        bucketMs={trend.bucketMs}
        noDataBeforeMs={release.firstSeen}
        marks={[
          { atMs: release.firstSeen, label: 'first seen' },
          ...(release.lastDeploy
            ? [
                {
                  atMs: release.lastDeploy.finishedAt,
                  label: `deployed to ${visibleText(release.lastDeploy.environment)}`,
                },
              ]
            : []),
        ]}
        series={[{ label: 'Events', values: trend.buckets, color: 'var(--color-chart)' }]}
      />
    </Card>
  );
}

/** Issues that have to do with a release in one way; `empty` says what it means that there are none. */
function ReleaseIssuesCard({
  id,
  title,
  listed,
  organizationSlug,
  empty,
  allHref = null,
  now,
}: {
  id: string;
  title: string;
  listed: ListedIssues;
  organizationSlug: string;
  empty: string;
  /** The list of all of them; null where no search finds them. */
  allHref?: string | null;
  now: number;
}) {
  const rest = listed.total - listed.issues.length;
  return (
    <IssueListCard
      id={id}
      title={title}
      total={listed.total}
      all={allHref === null ? null : { href: allHref, label: 'View in issues' }}
      isEmpty={listed.issues.length === 0}
      empty={empty}
    >
      <CountedIssues
        organizationSlug={organizationSlug}
        issues={listed.issues.map(countedSoFar)}
        counted="so far"
        now={now}
      >
        {rest > 0 ? (
          <li className="px-4 py-2 text-text-muted text-xs">and {formatPlural(rest, 'more issue')}</li>
        ) : null}
      </CountedIssues>
    </IssueListCard>
  );
}
