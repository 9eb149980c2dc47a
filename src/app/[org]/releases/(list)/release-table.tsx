import { ReleaseName, releaseHref } from '#app/[org]/release-name.tsx';
import { type QueryEntries, withQuery } from '#app/url-state.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { Health, ReleaseRow } from '#product/releases/release-row.ts';
import { Badge } from '#ui/badge.tsx';
import { formatCount, formatExact, formatRate, formatShare } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { Table, Td, Th, Tr } from '#ui/table.tsx';
import { searchTerm } from '../../search-box/search-term.ts';

const PROJECTS_SHOWN = 3;

/** `filters` are those of the page as they stand in the URL; links to what is counted keep them. */
export function ReleaseTable({
  organizationSlug,
  releases,
  filters,
  now,
}: {
  organizationSlug: string;
  releases: readonly ReleaseRow[];
  filters: QueryEntries;
  now: number;
}) {
  return (
    <Table label="Releases">
      <thead>
        <tr>
          <Th>Release</Th>
          <Th>Released</Th>
          <Th align="right">Commits</Th>
          <Th>Adoption</Th>
          <Th align="right" title="Percentage of sessions without a crash">
            Crash-free sessions
          </Th>
          <Th align="right" title="Percentage of users without a crash">
            Crash-free users
          </Th>
          <Th align="right">Events</Th>
          <Th align="right">New issues</Th>
          <Th>Last event</Th>
        </tr>
      </thead>
      <tbody>
        {releases.map((release) => (
          <Tr key={release.version}>
            <Td className="min-w-44 max-w-72">
              <Link
                href={withQuery(releaseHref(organizationSlug, release.version), filters)}
                className="block truncate font-medium text-text no-underline hover:underline"
              >
                <ReleaseName version={release.version} />
              </Link>
              <Projects slugs={release.projectSlugs} />
            </Td>
            <Td className="whitespace-nowrap">
              <RelativeTime at={release.releasedAt ?? release.firstSeen} now={now} />
              {release.lastDeploy ? (
                <span className="block text-text-muted text-xs">
                  to <bdi>{visibleText(release.lastDeploy.environment)}</bdi>{' '}
                  <RelativeTime at={release.lastDeploy.finishedAt} now={now} />
                </span>
              ) : null}
            </Td>
            <Td align="right">
              <Count
                count={release.commitCount}
                href={withQuery(releaseHref(organizationSlug, release.version), {
                  ...filters,
                  tab: 'commits',
                })}
              />
            </Td>
            <Td>
              <Adoption health={release.health} />
            </Td>
            <RateCell rate={release.health?.crashFreeSessions ?? null} />
            <RateCell rate={release.health?.crashFreeUsers ?? null} />
            <Td align="right">
              <Count
                count={release.events?.events ?? 0}
                href={withQuery(`/${organizationSlug}/explore/errors`, {
                  ...filters,
                  query: searchTerm('release', release.version),
                })}
              />
            </Td>
            <Td align="right">
              <Count
                count={release.newIssues}
                href={withQuery(`/${organizationSlug}/issues`, {
                  project: filters.project ?? null,
                  range: '90d',
                  query: searchTerm('firstRelease', release.version),
                })}
              />
            </Td>
            <Td className="whitespace-nowrap">
              {release.events ? (
                <RelativeTime at={release.events.lastSeen} now={now} />
              ) : (
                <Nothing title="No events in this time range" />
              )}
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}

function Projects({ slugs }: { slugs: readonly string[] }) {
  const rest = slugs.length - PROJECTS_SHOWN;
  return (
    <span className="mt-1 flex flex-wrap gap-1">
      {slugs.slice(0, PROJECTS_SHOWN).map((slug) => (
        <Badge key={slug}>{slug}</Badge>
      ))}
      {rest > 0 ? <Badge title={slugs.slice(PROJECTS_SHOWN).join(', ')}>{rest} more</Badge> : null}
    </span>
  );
}

function Adoption({ health }: { health: Health | null }) {
  if (!health) return <Nothing title="No sessions in this time range" />;
  const share = formatShare(health.adoption, 1);
  return (
    <span
      className="flex items-center gap-2"
      title={`${formatExact(health.sessions)} sessions, ${share} of all sessions in its projects`}
    >
      <span aria-hidden className="h-1.5 w-14 overflow-hidden rounded-full bg-surface-pressed">
        <span className="block h-full bg-chart" style={{ width: `${health.adoption * 100}%` }} />
      </span>
      <span className="numbers">{share}</span>
    </span>
  );
}

function RateCell({ rate }: { rate: number | null }) {
  return (
    <Td align="right">
      {rate === null ? <Nothing title="No session data" /> : <span>{formatRate(rate)}</span>}
    </Td>
  );
}

function Count({ count, href }: { count: number; href: string }) {
  if (count === 0) return <span className="text-text-faint">0</span>;
  return (
    <Link href={href} title={formatExact(count)} className="text-text no-underline hover:underline">
      {formatCount(count)}
    </Link>
  );
}

function Nothing({ title }: { title: string }) {
  return (
    <span className="text-text-faint" title={title}>
      –<span className="sr-only">{title}</span>
    </span>
  );
}
