import { RangeBarChart } from '#app/frame/range-bar-chart.tsx';
import { filterEntries, type PageFilters, withQuery } from '#app/url-state.ts';
import { settle } from '#lib/settle.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { Context } from '#product/context.ts';
import type { ReleaseDetails } from '#product/releases/get-release.ts';
import { getReleaseActivity, type ReleaseActivity } from '#product/releases/get-release-activity.ts';
import { listReleaseIssues } from '#product/releases/list-release-issues.ts';
import { Card } from '#ui/card.tsx';
import { Notice } from '#ui/notice.tsx';
import { ReloadButton } from '#ui/reload-button.tsx';
import { searchTerm } from '../../search-box/search-term.ts';
import { releaseHref } from '../release-href.ts';
import { ReleaseEnvironments, ReleaseFacts } from './release-facts.tsx';
import { ReleaseFigures } from './release-figures.tsx';
import { ReleaseIssuesCard } from './release-issues.tsx';

/** How a release is doing, what is new in it, and how that compares with the one before. */
export async function ReleaseOverview({
  ctx,
  release,
  filters,
  input,
}: {
  ctx: Context;
  release: ReleaseDetails;
  filters: PageFilters;
  input: Parameters<typeof getReleaseActivity>[1];
}) {
  const organizationSlug = ctx.organization.slug;
  const { version } = release;
  const now = ctx.now();
  const read = await settle(Promise.all([getReleaseActivity(ctx, input), listReleaseIssues(ctx, input)]));
  if (!read.ok) {
    return (
      <Notice tone="warning" title="The release cannot be shown now" actions={<ReloadButton />}>
        {read.reason}
      </Notice>
    );
  }
  const [activity, issues] = read.value;
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
      <div className="flex min-w-0 flex-col gap-5">
        <Events activity={activity} release={release} />
        <ReleaseFigures organizationSlug={organizationSlug} release={release} />
        <ReleaseIssuesCard
          id="new-issues"
          title="New issues"
          listed={issues.new}
          organizationSlug={organizationSlug}
          empty="No issue was first seen in this release."
          allHref={withQuery(`/${organizationSlug}/issues`, {
            project: filters.projects,
            range: '90d',
            query: searchTerm('firstRelease', version),
          })}
          now={now}
        />
        <ReleaseIssuesCard
          id="regressed-issues"
          title="Came back in it"
          listed={issues.regressed}
          organizationSlug={organizationSlug}
          empty="No resolved issue came back in this release."
          allHref={null}
          now={now}
        />
        <ReleaseIssuesCard
          id="resolved-issues"
          title="Resolved in it"
          listed={issues.resolved}
          organizationSlug={organizationSlug}
          empty="Nobody resolved an issue in this release."
          allHref={null}
          now={now}
        />
      </div>
      <div className="flex min-w-0 flex-col gap-5">
        <ReleaseFacts organizationSlug={organizationSlug} release={release} now={now} />
        <ReleaseEnvironments
          path={releaseHref(organizationSlug, version)}
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
