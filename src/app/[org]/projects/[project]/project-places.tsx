import { DsnField } from '#app/[org]/projects/dsn-field.tsx';
import { platformName } from '#app/[org]/projects/platforms.ts';
import { formatRate } from '#app/[org]/releases/rate-words.ts';
import { releaseHref } from '#app/[org]/releases/release-href.ts';
import { ReleaseName } from '#app/[org]/releases/release-name.tsx';
import { withQuery } from '#app/url-state.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { ReleaseRow } from '#product/releases/release-row.ts';
import { Card } from '#ui/card.tsx';
import { formatPlural } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

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
        <Link
          href={withQuery(`/${organizationSlug}/releases`, { project: projectSlug })}
          className="text-accent text-sm underline underline-offset-2"
        >
          All releases
        </Link>
      }
    >
      {releases.length === 0 ? (
        <p className="px-4 py-3 text-sm text-text-muted">No event has named its release yet.</p>
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
                    look="short"
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
        <p className="text-sm text-text-muted">No event has named its environment yet.</p>
      ) : (
        <ul className="flex flex-wrap gap-x-4 gap-y-1.5 text-sm">
          {shown.map((name) => (
            <li key={name} className="min-w-0">
              <Link
                href={withQuery(`/${organizationSlug}/issues`, { project: projectSlug, environment: name })}
                className="break-anything text-accent underline underline-offset-2"
              >
                <bdi>{visibleText(name)}</bdi>
              </Link>
            </li>
          ))}
          {rest > 0 ? <li className="text-text-muted">and {rest} more</li> : null}
        </ul>
      )}
    </Card>
  );
}

const ENVIRONMENTS_SHOWN = 20;

/** Where its program sends to. */
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
    <Card id="connect" title="Connect">
      {dsn ? (
        <>
          <p className="mb-1.5 font-medium text-sm">DSN</p>
          <DsnField dsn={dsn} />
          <p className="mt-3 text-sm text-text-muted">
            Give it to a Sentry SDK of your program.{' '}
            <Link
              href={`/${organizationSlug}/projects/${project.slug}/getting-started`}
              className="text-accent underline underline-offset-2"
            >
              Show the steps for {platformName(project.platform)}
            </Link>
            .
          </p>
        </>
      ) : (
        <p className="text-sm text-text-muted">
          No client key is active, so nothing can be sent.{' '}
          <Link
            href={`/${organizationSlug}/settings/projects/${project.slug}/keys`}
            className="text-accent underline underline-offset-2"
          >
            Enable one or create a new one
          </Link>
          .
        </p>
      )}
    </Card>
  );
}
