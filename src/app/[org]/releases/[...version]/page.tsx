import { ChevronLeft, ChevronRight, Telescope } from 'lucide-react';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { PageFilters } from '#app/frame/page-filters.tsx';
import { RangeBarChart } from '#app/frame/range-bar-chart.tsx';
import { getRequestContext } from '#app/request-context.ts';
import { filterEntries, parsePageFilters, type SearchParams, timeBounds, withQuery } from '#app/url-state.ts';
import { isErrataError } from '#lib/errors.ts';
import { settle } from '#lib/settle.ts';
import type { Context } from '#product/context.ts';
import { listEnvironments } from '#product/projects/list-environments.ts';
import { listProjects } from '#product/projects/list-projects.ts';
import { getRelease, type ReleaseDetails } from '#product/releases/get-release.ts';
import { getReleaseActivity, type ReleaseActivity } from '#product/releases/get-release-activity.ts';
import { listReleaseIssues } from '#product/releases/list-release-issues.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { formatPlural } from '#ui/format-number.ts';
import { Notice } from '#ui/notice.tsx';
import { PageBody, PageHeader } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { ReloadButton } from '#ui/reload-button.tsx';
import { searchTerm } from '../../search-box/search-term.ts';
import { releaseHref, versionOfSegments } from '../release-href.ts';
import { ReleaseName } from '../release-name.tsx';
import { ReleaseEnvironments, ReleaseFacts } from './release-facts.tsx';
import { ReleaseFigures } from './release-figures.tsx';
import { ReleaseIssuesCard } from './release-issues.tsx';

type Props = { params: Promise<{ org: string; version: string[] }>; searchParams: Promise<SearchParams> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: versionOfSegments((await params).version) };
}

/** One release: how it is doing, what is new in it, and how that compares with the one before. */
export default async function ReleasePage({ params, searchParams }: Props) {
  const { org, version: segments } = await params;
  const version = versionOfSegments(segments);
  const asked = parsePageFilters(await searchParams);
  const ctx = await getRequestContext(org);
  const projects = await listProjects(ctx);
  const known = asked.projects.filter((slug) => projects.some((project) => project.slug === slug));
  const filters = { ...asked, projects: known };
  const now = ctx.now();
  const input = {
    version,
    projectSlugs: known,
    environments: filters.environments,
    range: timeBounds(filters.time, now),
  };
  const [page, environments] = await Promise.all([
    settle(readRelease(ctx, input)),
    listEnvironments(ctx, known),
  ]);
  const entries = filterEntries(filters);
  return (
    <PageBody>
      <PageHeader
        title={<ReleaseName version={version} />}
        description={page.ok ? <Summary release={page.value.release} now={now} /> : undefined}
        actions={
          page.ok ? <Actions organizationSlug={org} release={page.value.release} entries={entries} /> : null
        }
      />
      <PageFilters
        filters={filters}
        projects={projects.map(({ slug, name }) => ({ slug, name }))}
        environments={environments}
      />
      {page.ok ? (
        <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
          <div className="flex min-w-0 flex-col gap-5">
            <Events activity={page.value.activity} release={page.value.release} />
            <ReleaseFigures organizationSlug={org} release={page.value.release} />
            <ReleaseIssuesCard
              id="new-issues"
              title="New issues"
              listed={page.value.issues.new}
              organizationSlug={org}
              empty="No issue was first seen in this release."
              allHref={withQuery(`/${org}/issues`, {
                project: known,
                range: '90d',
                query: searchTerm('firstRelease', version),
              })}
              now={now}
            />
            <ReleaseIssuesCard
              id="regressed-issues"
              title="Came back in it"
              listed={page.value.issues.regressed}
              organizationSlug={org}
              empty="No resolved issue came back in this release."
              allHref={null}
              now={now}
            />
            <ReleaseIssuesCard
              id="resolved-issues"
              title="Resolved in it"
              listed={page.value.issues.resolved}
              organizationSlug={org}
              empty="Nobody resolved an issue in this release."
              allHref={null}
              now={now}
            />
          </div>
          <div className="flex min-w-0 flex-col gap-5">
            <ReleaseFacts organizationSlug={org} release={page.value.release} now={now} />
            <ReleaseEnvironments
              path={releaseHref(org, version)}
              filters={entries}
              environments={page.value.activity.environments}
            />
          </div>
        </div>
      ) : (
        <Notice tone="warning" title="The release cannot be shown now" actions={<ReloadButton />}>
          {page.reason}
        </Notice>
      )}
    </PageBody>
  );
}

/** The not-found page for a version that no project has seen. */
async function readRelease(ctx: Context, input: Parameters<typeof getRelease>[1]) {
  try {
    const [release, activity, issues] = await Promise.all([
      getRelease(ctx, input),
      getReleaseActivity(ctx, input),
      listReleaseIssues(ctx, input),
    ]);
    return { release, activity, issues };
  } catch (error) {
    if (isErrataError(error) && error.code === 'not_found') notFound();
    throw error;
  }
}

function Summary({ release, now }: { release: ReleaseDetails; now: number }) {
  return (
    <>
      {release.releasedAt === null ? 'first seen ' : 'released '}
      <RelativeTime at={release.releasedAt ?? release.firstSeen} now={now} /> in{' '}
      {release.projectSlugs.length === 1
        ? release.projectSlugs[0]
        : formatPlural(release.projectSlugs.length, 'project')}
    </>
  );
}

function Actions({
  organizationSlug,
  release,
  entries,
}: {
  organizationSlug: string;
  release: ReleaseDetails;
  entries: Readonly<Record<string, string | readonly string[] | null>>;
}) {
  const to = (version: string) => withQuery(releaseHref(organizationSlug, version), entries);
  return (
    <>
      <CopyButton text={release.version} label="the version" />
      {release.older ? (
        <ButtonLink href={to(release.older.version)} title={release.older.version}>
          <ChevronLeft aria-hidden className="size-4" />
          Previous
        </ButtonLink>
      ) : null}
      {release.newer ? (
        <ButtonLink href={to(release.newer)} title={release.newer}>
          Next
          <ChevronRight aria-hidden className="size-4" />
        </ButtonLink>
      ) : null}
      <ButtonLink
        href={withQuery(`/${organizationSlug}/explore/errors`, {
          ...entries,
          query: searchTerm('release', release.version),
        })}
      >
        <Telescope aria-hidden className="size-4" />
        Explore its events
      </ButtonLink>
    </>
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
        marks={[{ atMs: release.firstSeen, label: 'first seen' }]}
        series={[{ label: 'Events', values: trend.buckets, color: 'var(--color-chart)' }]}
      />
    </Card>
  );
}
