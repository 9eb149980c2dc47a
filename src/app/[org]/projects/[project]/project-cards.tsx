import { ArrowRight, Inbox } from 'lucide-react';
import { CountedIssues, countedSoFar } from '#app/[org]/issues/issue-summaries.tsx';
import { DsnField } from '#app/[org]/projects/dsn-field.tsx';
import { ReleaseName, releaseHref } from '#app/[org]/release-name.tsx';
import { withQuery } from '#app/url-state.ts';
import { platformName } from '#domain/platforms.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { IssueRow } from '#product/issues/list-issues.ts';
import type { ReleaseRow } from '#product/releases/release-row.ts';
import { Card } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { formatPlural, formatRate } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { TextLink } from '#ui/text-link.tsx';

/** The newest releases of a project with what is new in them. */
export function ProjectReleases({
  organizationSlug,
  projectSlug,
  releases,
  now,
}: {
  organizationSlug: string;
  projectSlug: string;
  releases: readonly ReleaseRow[];
  now: number;
}) {
  return (
    <Card
      flush
      id="releases"
      title="Releases"
      actions={
        <TextLink
          href={withQuery(`/${organizationSlug}/releases`, { project: projectSlug })}
          className="text-sm"
        >
          All releases
        </TextLink>
      }
    >
      {releases.length === 0 ? (
        <p className="px-4 py-3 text-sm text-text-muted">No releases yet.</p>
      ) : (
        <ul>
          {releases.map((release) => (
            <li key={release.version} className="border-b last:border-b-0">
              <Link
                href={withQuery(releaseHref(organizationSlug, release.version), { project: projectSlug })}
                className="block px-4 py-2 text-sm text-text no-underline transition-colors hover:bg-surface-hover"
              >
                <span className="flex items-baseline justify-between gap-3">
                  <span className="min-w-0 truncate font-medium">
                    <ReleaseName version={release.version} />
                  </span>
                  <RelativeTime
                    at={release.releasedAt ?? release.firstSeen}
                    now={now}
                    variant="short"
                    className="numbers shrink-0 text-text-muted text-xs"
                  />
                </span>
                <span className="block text-text-muted text-xs">
                  {formatPlural(release.newIssues, 'new issue')}
                  {release.health?.crashFreeSessions == null
                    ? null
                    : ` · ${formatRate(release.health.crashFreeSessions)} crash-free`}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** Where its events come from; each leads to the issues of that environment. */
export function ProjectEnvironments({
  organizationSlug,
  projectSlug,
  environments,
}: {
  organizationSlug: string;
  projectSlug: string;
  environments: readonly string[];
}) {
  const shown = environments.slice(0, ENVIRONMENTS_SHOWN);
  const rest = environments.length - shown.length;
  return (
    <Card id="environments" title="Environments">
      {shown.length === 0 ? (
        <p className="text-sm text-text-muted">No environments yet.</p>
      ) : (
        <ul className="flex flex-wrap gap-x-4 gap-y-1.5 text-sm">
          {shown.map((name) => (
            <li key={name} className="min-w-0">
              <TextLink
                href={withQuery(`/${organizationSlug}/issues`, { project: projectSlug, environment: name })}
                className="break-anything"
              >
                <bdi>{visibleText(name)}</bdi>
              </TextLink>
            </li>
          ))}
          {rest > 0 ? <li className="text-text-muted">and {rest} more</li> : null}
        </ul>
      )}
    </Card>
  );
}

const ENVIRONMENTS_SHOWN = 20;

export function ProjectConnection({
  organizationSlug,
  project,
  dsn,
}: {
  organizationSlug: string;
  project: { slug: string; platform: string | null };
  /** null while no key is active. */
  dsn: string | null;
}) {
  return (
    <Card id="connect" title="SDK setup">
      {dsn ? (
        <>
          <p className="mb-1.5 font-medium text-sm">DSN</p>
          <DsnField dsn={dsn} />
          <p className="mt-3 text-sm text-text-muted">
            Add this DSN to your Sentry SDK.{' '}
            <TextLink href={`/${organizationSlug}/projects/${project.slug}/getting-started`}>
              Show setup steps for {platformName(project.platform)}
            </TextLink>
            .
          </p>
        </>
      ) : (
        <p className="text-sm text-text-muted">
          This project has no active client keys, so it can’t receive events.{' '}
          <TextLink href={`/${organizationSlug}/settings/projects/${project.slug}/keys`}>
            Enable or create a key
          </TextLink>
          .
        </p>
      )}
    </Card>
  );
}

/** The unresolved issues that happened most. */
export function ProjectIssues({
  organizationSlug,
  issues,
  allHref,
  hasEvents,
  now,
}: {
  organizationSlug: string;
  issues: readonly IssueRow[];
  allHref: string;
  hasEvents: boolean;
  now: number;
}) {
  return (
    <Card
      flush
      id="top-issues"
      title="Unresolved, most events first"
      actions={
        <TextLink href={allHref} className="flex items-center gap-1 text-sm">
          All issues
          <ArrowRight aria-hidden className="size-3.5" />
        </TextLink>
      }
    >
      {issues.length === 0 ? (
        <EmptyState icon={<Inbox />} title="No unresolved issues">
          {hasEvents
            ? 'This project has no unresolved issues in the selected time range.'
            : 'Issues appear here as soon as the SDK reports its first error.'}
        </EmptyState>
      ) : (
        <CountedIssues
          organizationSlug={organizationSlug}
          issues={issues.map(countedSoFar)}
          counted="so far"
          now={now}
        />
      )}
    </Card>
  );
}
