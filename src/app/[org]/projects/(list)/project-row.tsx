import { Hourglass } from 'lucide-react';
import { type QueryEntries, withQuery } from '#app/url-state.ts';
import { platformName } from '#domain/platforms.ts';
import type { SummarizedProject } from '#product/projects/list-project-summaries.ts';
import { Badge } from '#ui/badge.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { formatCount, formatExact, formatPlural } from '#ui/format-number.ts';
import { formatDuration } from '#ui/format-time.ts';
import { Link } from '#ui/navigation/link.tsx';
import { PlatformLogo } from '#ui/platform-logo/platform-logo.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { Sparkline } from '#ui/sparkline.tsx';

/** One project: what it sent in the chosen time, what is new, when it was heard of last, and its DSN. */
export function ProjectRow({
  organizationSlug,
  project,
  bucketMs,
  filters,
  now,
}: {
  organizationSlug: string;
  project: SummarizedProject;
  bucketMs: number;
  /** Of the page, as they stand in the URL. */
  filters: QueryEntries;
  now: number;
}) {
  const { slug, summary } = project;
  const issues = (query: string | null) =>
    withQuery(`/${organizationSlug}/issues`, { ...filters, project: slug, query });
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 border-b px-4 py-3 last:border-b-0 md:grid-cols-[minmax(0,2fr)_minmax(0,1.2fr)_5rem_5rem_7rem_8.5rem]">
      <div className="flex min-w-0 items-center gap-3">
        <PlatformLogo platform={project.platform} label={null} />
        <div className="min-w-0">
          <p className="flex min-w-0 items-center gap-2">
            <Link
              href={`/${organizationSlug}/projects/${slug}`}
              className="truncate font-medium text-text no-underline hover:underline"
            >
              <bdi>{project.name}</bdi>
            </Link>
            {project.isInternal ? <Badge>internal</Badge> : null}
          </p>
          <p className="truncate text-text-muted text-xs">
            {slug} ·{' '}
            {project.isInternal
              ? 'errors in Errata itself, visible only to the instance owner'
              : platformName(project.platform)}
            {project.teams.length > 0 ? ` · ${project.teams.map((team) => `#${team}`).join(' ')}` : null}
          </p>
        </div>
      </div>
      <div className="max-md:hidden">
        <Sparkline
          values={summary.buckets}
          label={`${formatPlural(summary.accepted, 'event')} of ${project.name}, ${formatDuration(bucketMs)} per bar`}
        />
      </div>
      <Figure count={summary.accepted} label="events" href={issues('')} />
      <Figure count={summary.newIssues} label="new issues" href={issues('is:new')} />
      <p className="text-text-muted text-xs max-md:text-right">
        {summary.lastEventAt === null ? (
          <span className="inline-flex items-center gap-1.5">
            <Hourglass aria-hidden className="size-3.5" />
            {project.isInternal ? 'No errors' : summary.accepted > 0 ? 'No events stored' : 'No events yet'}
          </span>
        ) : (
          <span title="Last event">
            <RelativeTime at={summary.lastEventAt} now={now} />
          </span>
        )}
      </p>
      <div className="flex gap-2 max-md:col-span-2 md:justify-end">
        {project.dsn === null ? (
          <ButtonLink size="sm" href={`/${organizationSlug}/settings/projects/${slug}/keys`}>
            No active key
          </ButtonLink>
        ) : (
          <CopyButton size="sm" text={project.dsn} label={`Copy the DSN of ${project.name}`}>
            DSN
          </CopyButton>
        )}
        {summary.lastEventAt === null && summary.accepted === 0 && !project.isInternal ? (
          <ButtonLink size="sm" href={`/${organizationSlug}/projects/${slug}/getting-started`}>
            Set up
          </ButtonLink>
        ) : (
          <ButtonLink size="sm" href={issues(null)}>
            Issues
          </ButtonLink>
        )}
      </div>
    </li>
  );
}

function Figure({ count, label, href }: { count: number; label: string; href: string }) {
  return (
    <p className="max-md:hidden">
      <Link
        href={href}
        title={`${formatExact(count)} ${label}`}
        className="numbers block font-medium text-sm text-text no-underline hover:underline"
      >
        {formatCount(count)}
      </Link>
      <span className="text-text-muted text-xs">{label}</span>
    </p>
  );
}
