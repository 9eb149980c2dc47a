import { Plug, Settings } from 'lucide-react';
import type { Metadata } from 'next';
import { FirstEventCue } from '#app/[org]/projects/first-event-cue.tsx';
import { findFirstEvent, loadProject } from '#app/[org]/projects/load-project.ts';
import { getRequestContext } from '#app/request-context.ts';
import { PageFilters } from '#app/shell/page-filters.tsx';
import { type PageRequest, parsePageFilters, timeBounds, timeEntries, withQuery } from '#app/url-state.ts';
import { platformName } from '#domain/platforms.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { HOUR_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { listIssues } from '#product/issues/list-issues.ts';
import { listEnvironments } from '#product/projects/list-project-summaries.ts';
import { listReleases } from '#product/releases/list-releases.ts';
import { getOutcomeSeries } from '#product/stats/get-outcome-series.ts';
import { alignRange, chooseBucketMs, type Range } from '#product/time-buckets.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Notice } from '#ui/notice.tsx';
import { Page } from '#ui/page-header.tsx';
import { PlatformLogo } from '#ui/platform-logo/platform-logo.tsx';
import { ReloadButton } from '#ui/reload-button.tsx';
import { ProjectConnection, ProjectEnvironments, ProjectIssues, ProjectReleases } from './project-cards.tsx';
import { ProjectEvents, ProjectIngest, type Sent } from './project-sending.tsx';

const ISSUES_SHOWN = 10;
const RELEASES_SHOWN = 5;

type Props = PageRequest<'org' | 'project'>;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await params).project };
}

export default async function ProjectPage({ params, searchParams }: Props) {
  const { org, project: slug } = await params;
  const filters = { ...parsePageFilters(await searchParams), projects: [], environments: [] };
  const ctx = await getRequestContext(org);
  const { project, dsn } = await loadProject(ctx, slug);
  const now = ctx.now();
  const range = timeBounds(filters.time, now);
  const scope = { projectSlugs: [slug], environments: [], range, cursor: null };
  const [firstEvent, issues, sent, releases, environments] = await Promise.all([
    findFirstEvent(ctx, slug),
    orUnavailable(listIssues(ctx, { ...scope, query: 'is:unresolved', sort: 'freq', limit: ISSUES_SHOWN })),
    readSent(ctx, slug, range),
    orUnavailable(listReleases(ctx, { ...scope, search: '', sort: 'date', limit: RELEASES_SHOWN })),
    listEnvironments(ctx, [slug]),
  ]);
  const time = timeEntries(filters.time);
  const unavailable = [issues, releases].find((part) => !part.ok);
  return (
    <Page
      title={
        <span className="flex items-center gap-3">
          <PlatformLogo platform={project.platform} label={null} />
          <bdi className="break-anything">{project.name}</bdi>
        </span>
      }
      description={`${project.slug} · ${platformName(project.platform)}`}
      actions={
        <>
          <ButtonLink href={`/${org}/settings/projects/${slug}`}>
            <Settings aria-hidden className="size-4" />
            Settings
          </ButtonLink>
          <ButtonLink href={`/${org}/projects/${slug}/getting-started`}>
            <Plug aria-hidden className="size-4" />
            Set up SDK
          </ButtonLink>
          <ButtonLink variant="primary" href={withQuery(`/${org}/issues`, { project: slug, ...time })}>
            Issues
          </ButtonLink>
        </>
      }
    >
      {firstEvent.at === null && !project.isInternal ? (
        <div className="mb-5">
          <FirstEventCue orgSlug={org} project={{ id: project.id, slug }} initial={firstEvent} />
        </div>
      ) : null}
      <PageFilters filters={filters} projects={null} environments={null} />
      {unavailable && !unavailable.ok ? (
        <div className="mb-3">
          <Notice tone="warning" title="Couldn’t load part of this page" actions={<ReloadButton />}>
            {unavailable.reason}
          </Notice>
        </div>
      ) : null}
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-5">
          <ProjectEvents sent={sent} />
          {issues.ok ? (
            <ProjectIssues
              organizationSlug={org}
              issues={issues.value.issues}
              allHref={withQuery(`/${org}/issues`, { project: slug, sort: 'freq', ...time })}
              hasEvents={firstEvent.at !== null}
              now={now}
            />
          ) : null}
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <ProjectIngest organizationSlug={org} projectSlug={slug} time={time} sent={sent} />
          {releases.ok ? (
            <ProjectReleases
              organizationSlug={org}
              projectSlug={slug}
              releases={releases.value.releases}
              now={now}
            />
          ) : null}
          <ProjectEnvironments organizationSlug={org} projectSlug={slug} environments={environments} />
          <ProjectConnection organizationSlug={org} project={project} dsn={dsn} />
        </div>
      </div>
    </Page>
  );
}

/** Outcomes are counted by the hour. */
async function readSent(ctx: Context, projectSlug: string, requested: Range): Promise<Sent> {
  const bucketMs = Math.ceil(chooseBucketMs(requested) / HOUR_MS) * HOUR_MS;
  const range = alignRange(requested, bucketMs);
  return {
    series: await getOutcomeSeries(ctx, { projectSlugs: [projectSlug], range, bucketMs }),
    range,
    bucketMs,
  };
}
