import { ChevronLeft, ChevronRight, Telescope } from 'lucide-react';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { ReleaseName, releaseHref, versionOfSegments } from '#app/[org]/release-name.tsx';
import { ActionButton } from '#app/forms/confirm-action.tsx';
import { getRequestContext } from '#app/request-context.ts';
import { PageFilters } from '#app/shell/page-filters.tsx';
import { LoadError } from '#app/shell/panel.tsx';
import {
  filterEntries,
  firstValue,
  parsePageFilters,
  type QueryEntries,
  type SearchParams,
  timeBounds,
  withQuery,
} from '#app/url-state.ts';
import { isErrataError } from '#lib/errors.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import type { Context } from '#product/context.ts';
import { hasRight } from '#product/permissions.ts';
import { listEnvironments } from '#product/projects/list-project-summaries.ts';
import { getRelease, type ReleaseDetails } from '#product/releases/get-release.ts';
import { listProjects } from '#product/visible-projects.ts';
import { Badge } from '#ui/badge.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { formatPlural } from '#ui/format-number.ts';
import { Page } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { searchTerm } from '../../search-box/search-term.ts';
import { setReleaseStatusAction } from '../actions.ts';
import { readComparison } from './comparisons.ts';
import { ReleaseArtifacts } from './release-artifacts.tsx';
import { ReleaseCommits, ReleaseDeploys } from './release-lists.tsx';
import { ReleaseOverview } from './release-overview.tsx';
import { ReleaseTabs, readReleaseTab } from './release-tabs.tsx';

type Props = { params: Promise<{ org: string; version: string[] }>; searchParams: Promise<SearchParams> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: versionOfSegments((await params).version) };
}

/** One release: its health, commits, deploys and artifacts. */
export default async function ReleasePage({ params, searchParams }: Props) {
  const { org, version: segments } = await params;
  const version = versionOfSegments(segments);
  const address = await searchParams;
  const requested = parsePageFilters(address);
  const tab = readReleaseTab(address);
  const ctx = await getRequestContext(org);
  const projects = await listProjects(ctx);
  const known = requested.projects.filter((slug) => projects.some((project) => project.slug === slug));
  const filters = { ...requested, projects: known };
  const now = ctx.now();
  const input = {
    version,
    projectSlugs: known,
    environments: filters.environments,
    range: timeBounds(filters.time, now),
  };
  const [page, environments] = await Promise.all([
    orUnavailable(readRelease(ctx, input)),
    listEnvironments(ctx, known),
  ]);
  const entries = filterEntries(filters);
  const list = { ctx, version, projectSlugs: known, cursor: firstValue(address, 'cursor') || null };
  const here = { path: releaseHref(org, version), entries: { ...entries, tab } };
  const release = page.ok ? page.value : null;
  return (
    <Page
      title={<ReleaseName version={version} isFull />}
      description={release ? <Summary release={release} now={now} /> : undefined}
      actions={
        release ? (
          <Actions
            organizationSlug={org}
            release={release}
            entries={entries}
            canArchive={hasRight(ctx.actor, 'project:releases')}
          />
        ) : null
      }
    >
      <ReleaseTabs path={here.path} entries={entries} current={tab} release={release} />
      {page.ok ? null : (
        <div className="mb-5">
          <LoadError what="release stats">{page.reason}</LoadError>
        </div>
      )}
      {tab === 'commits' ? <ReleaseCommits {...list} here={here} /> : null}
      {tab === 'deploys' ? <ReleaseDeploys {...list} here={here} /> : null}
      {tab === 'artifacts' ? (
        <ReleaseArtifacts
          {...list}
          here={here}
          projectSlugs={release?.projectSlugs ?? known}
          search={firstValue(address, 'query') ?? ''}
        />
      ) : null}
      {tab === 'overview' && release ? (
        <>
          <PageFilters
            filters={filters}
            projects={projects.map(({ slug, name, platform }) => ({ slug, name, platform }))}
            environments={environments}
          />
          <ReleaseOverview
            ctx={ctx}
            release={release}
            filters={filters}
            input={input}
            against={readComparison(address, release.older !== null)}
          />
        </>
      ) : null}
    </Page>
  );
}

/** The not-found page for a version that no project has seen. */
async function readRelease(ctx: Context, input: Parameters<typeof getRelease>[1]): Promise<ReleaseDetails> {
  try {
    return await getRelease(ctx, input);
  } catch (error) {
    if (isErrataError(error) && error.code === 'not_found') notFound();
    throw error;
  }
}

function Summary({ release, now }: { release: ReleaseDetails; now: number }) {
  return (
    <>
      {release.status === 'archived' ? (
        <>
          <Badge>archived</Badge>{' '}
        </>
      ) : null}
      {release.releasedAt === null ? 'First seen ' : 'Released '}
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
  canArchive,
}: {
  organizationSlug: string;
  release: ReleaseDetails;
  entries: QueryEntries;
  canArchive: boolean;
}) {
  const isArchived = release.status === 'archived';
  const to = (version: string) => withQuery(releaseHref(organizationSlug, version), entries);
  return (
    <>
      <CopyButton text={release.version} label="Copy the version" />
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
      {canArchive ? (
        <ActionButton
          size="md"
          label={isArchived ? 'Restore' : 'Archive'}
          pendingLabel={isArchived ? 'Restoring…' : 'Archiving…'}
          action={setReleaseStatusAction.bind(null, organizationSlug, {
            version: release.version,
            status: isArchived ? 'open' : 'archived',
          })}
        />
      ) : null}
      <ButtonLink
        href={withQuery(`/${organizationSlug}/explore/errors`, {
          ...entries,
          query: searchTerm('release', release.version),
        })}
      >
        <Telescope aria-hidden className="size-4" />
        Explore events
      </ButtonLink>
    </>
  );
}
