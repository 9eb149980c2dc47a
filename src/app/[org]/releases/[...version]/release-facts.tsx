import type { ReactNode } from 'react';
import { type QueryEntries, withQuery } from '#app/url-state.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { EventGroup } from '#product/explore/event-groups.ts';
import type { ReleaseDetails } from '#product/releases/get-release.ts';
import { parseReleaseVersion } from '#protocol/release-version.ts';
import { Card } from '#ui/card.tsx';
import { formatCount, formatExact, formatShare } from '#ui/format-number.ts';
import { KeyValues } from '#ui/key-values.tsx';
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
  const { releasedAt, lastDeploy, firstSeen, events, projectSlugs } = release;
  const text = (value: string | null | undefined) => value && <bdi>{visibleText(value)}</bdi>;
  const time = (at: number) => <RelativeTime at={at} now={now} />;
  const inRange = (title: string) => <span title="In the selected time range">{title}</span>;
  const rows: readonly [key: string, name: ReactNode, value: ReactNode][] = [
    ['package', 'Package', text(name)],
    ['prerelease', 'Pre-release', text(semver?.prerelease)],
    ['build', 'Build', text(semver?.build)],
    ['released', 'Released', releasedAt === null ? null : time(releasedAt)],
    [
      'deployed',
      'Last deploy',
      lastDeploy ? (
        <>
          {text(lastDeploy.environment)}, {time(lastDeploy.finishedAt)}
        </>
      ) : null,
    ],
    ['first-seen', 'First seen', time(firstSeen)],
    ['first-event', inRange('First event'), events ? time(events.firstSeen) : 'None'],
    ['last-event', inRange('Last event'), events ? time(events.lastSeen) : 'None'],
    [
      'projects',
      'Projects',
      <span key="projects" className="flex flex-wrap gap-x-3">
        {projectSlugs.map((slug) => (
          <Link
            key={slug}
            href={`/${organizationSlug}/projects/${slug}`}
            className="text-accent underline underline-offset-2"
          >
            {slug}
          </Link>
        ))}
      </span>,
    ],
  ];
  return (
    <Card id="facts" title="Release details">
      <KeyValues
        isNarrow
        rows={rows.filter(([, , value]) => value).map(([key, name, value]) => ({ key, name, value }))}
      />
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
