import { type QueryEntries, withQuery } from '#app/url-state.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { ReleaseDetails } from '#product/releases/get-release.ts';
import { parseReleaseVersion } from '#protocol/release-version.ts';
import type { EventGroup } from '#storage/ports/event-explore.ts';
import { Card } from '#ui/card.tsx';
import { formatCount, formatExact, formatShare } from '#ui/format-number.ts';
import { type KeyValue, KeyValues } from '#ui/key-values.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

/** What the version says, and when the release was seen. */
export function ReleaseFacts({
  organizationSlug,
  release,
  now,
}: {
  organizationSlug: string;
  release: ReleaseDetails;
  now: number;
}) {
  const { package: name, semver } = parseReleaseVersion(release.version);
  const rows: (KeyValue | null)[] = [
    name ? { key: 'package', name: 'Package', value: <bdi>{visibleText(name)}</bdi> } : null,
    semver?.prerelease
      ? { key: 'prerelease', name: 'Pre-release', value: <bdi>{visibleText(semver.prerelease)}</bdi> }
      : null,
    semver?.build ? { key: 'build', name: 'Build', value: <bdi>{visibleText(semver.build)}</bdi> } : null,
    release.releasedAt === null
      ? null
      : { key: 'released', name: 'Released', value: <RelativeTime at={release.releasedAt} now={now} /> },
    release.lastDeploy
      ? {
          key: 'deployed',
          name: 'Last deploy',
          value: (
            <>
              <bdi>{visibleText(release.lastDeploy.environment)}</bdi>,{' '}
              <RelativeTime at={release.lastDeploy.finishedAt} now={now} />
            </>
          ),
        }
      : null,
    { key: 'first-seen', name: 'First seen', value: <RelativeTime at={release.firstSeen} now={now} /> },
    {
      key: 'first-event',
      name: <span title="In the selected time range">First event</span>,
      value: release.events ? <RelativeTime at={release.events.firstSeen} now={now} /> : 'None',
    },
    {
      key: 'last-event',
      name: <span title="In the selected time range">Last event</span>,
      value: release.events ? <RelativeTime at={release.events.lastSeen} now={now} /> : 'None',
    },
    {
      key: 'projects',
      name: 'Projects',
      value: (
        <span className="flex flex-wrap gap-x-3">
          {release.projectSlugs.map((slug) => (
            <Link
              key={slug}
              href={`/${organizationSlug}/projects/${slug}`}
              className="text-accent underline underline-offset-2"
            >
              {slug}
            </Link>
          ))}
        </span>
      ),
    },
  ];
  return (
    <Card id="facts" title="Release details">
      <KeyValues rows={rows.filter((row) => row !== null)} />
    </Card>
  );
}

/** Where the events of the release came from; each leads to its own events. */
export function ReleaseEnvironments({
  path,
  filters,
  environments,
}: {
  /** The page of the release. */
  path: string;
  filters: QueryEntries;
  environments: readonly EventGroup[];
}) {
  const total = environments.reduce((sum, group) => sum + group.events, 0);
  return (
    <Card id="environments" title="Environments">
      {environments.length === 0 ? (
        <p className="text-sm text-text-muted">No events in the selected time range.</p>
      ) : (
        <ul className="flex flex-col gap-2 text-sm">
          {environments.map((group) => (
            <li key={group.value} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3">
              {group.value === '' ? (
                <span className="text-text-muted">(none)</span>
              ) : (
                <Link
                  href={withQuery(path, { ...filters, environment: [group.value] })}
                  className="truncate text-text underline-offset-2 hover:underline"
                >
                  <bdi>{visibleText(group.value)}</bdi>
                </Link>
              )}
              <span className="numbers text-text-muted" title={formatExact(group.events)}>
                {formatCount(group.events)} · {formatShare(group.events, total)}
              </span>
              <span
                aria-hidden
                className="col-span-2 mt-1 h-1 overflow-hidden rounded-full bg-surface-pressed"
              >
                <span
                  className="block h-full bg-chart"
                  style={{ width: `${(group.events / Math.max(1, total)) * 100}%` }}
                />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
