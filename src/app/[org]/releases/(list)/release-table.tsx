import { ArrowDown, ArrowUp } from 'lucide-react';
import { ReleaseName, releaseHref } from '#app/[org]/release-name.tsx';
import { type QueryEntries, withQuery } from '#app/url-state.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { ListedRelease } from '#product/releases/list-releases.ts';
import type { Adoption } from '#product/releases/read-adoption.ts';
import { Badge } from '#ui/badge.tsx';
import { formatCount, formatExact, formatRate, formatShare } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { Sparkline } from '#ui/sparkline.tsx';
import { Table, Td, Th, Tr } from '#ui/table.tsx';
import { searchTerm } from '../../search-box/search-term.ts';
import { AdoptionBadge } from '../adoption-badge.tsx';
import type { ReleasesState } from '../releases-state.ts';

const PROJECTS_SHOWN = 3;

/** `filters` are those of the page as they stand in the URL; links to what is counted keep them. */
export function ReleaseTable({
  organizationSlug,
  releases,
  filters,
  order,
  now,
}: {
  organizationSlug: string;
  /** How the list is sorted, and the address of each other order. */
  order: { current: ReleasesState['sort']; hrefOf: (sort: ReleasesState['sort']) => string };
  releases: readonly ListedRelease[];
  filters: QueryEntries;
  now: number;
}) {
  return (
    <Table label="Releases">
      <thead>
        <tr>
          <Th>Release</Th>
          <RankHeading sort="date" {...order}>
            Released
          </RankHeading>
          <Th align="right">Commits</Th>
          <RankHeading sort="adoption" title="Share of the sessions of the last 24 hours" {...order}>
            Adoption
          </RankHeading>
          <RankHeading sort="sessions" {...order}>
            Sessions
          </RankHeading>
          <RankHeading
            sort="crash_free_sessions"
            isNumber
            title="Percentage of sessions without a crash, lowest first"
            {...order}
          >
            Crash-free sessions
          </RankHeading>
          <RankHeading
            sort="crash_free_users"
            isNumber
            title="Percentage of users without a crash, lowest first"
            {...order}
          >
            Crash-free users
          </RankHeading>
          <Th align="right">New issues</Th>
          <Th align="right">Events</Th>
          <Th>Last event</Th>
        </tr>
      </thead>
      <tbody>
        {releases.map((release) => (
          <Tr key={release.version}>
            <Td className="min-w-44 max-w-72">
              <Link
                href={withQuery(releaseHref(organizationSlug, release.version), filters)}
                className="line-clamp-2 font-medium text-text no-underline hover:underline"
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
              <AdoptionCell adoption={release.adoption} />
            </Td>
            <Td>
              <Sessions release={release} />
            </Td>
            <RateCell rate={release.health?.crashFreeSessions ?? null} />
            <RateCell rate={release.health?.crashFreeUsers ?? null} />
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
            <Td align="right">
              <Count
                count={release.events?.events ?? 0}
                href={withQuery(`/${organizationSlug}/explore/errors`, {
                  ...filters,
                  query: searchTerm('release', release.version),
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

/** A heading that sorts the list in the one order that its column has. */
function RankHeading({
  sort,
  current,
  hrefOf,
  isNumber = false,
  title,
  children,
}: {
  sort: ReleasesState['sort'];
  current: ReleasesState['sort'];
  hrefOf: (sort: ReleasesState['sort']) => string;
  isNumber?: boolean;
  title?: string;
  children: string;
}) {
  const isCurrent = sort === current;
  const isAscending = sort === 'crash_free_sessions' || sort === 'crash_free_users';
  const Arrow = isAscending ? ArrowUp : ArrowDown;
  return (
    <Th
      align={isNumber ? 'right' : 'left'}
      className={isNumber ? 'max-w-28 whitespace-normal' : undefined}
      aria-sort={isCurrent ? (isAscending ? 'ascending' : 'descending') : undefined}
    >
      <Link
        href={hrefOf(sort)}
        title={title}
        className="inline-flex items-center gap-1 text-text-muted no-underline hover:underline"
      >
        {children}
        {isCurrent ? <Arrow aria-hidden className="size-3" /> : null}
      </Link>
    </Th>
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

function AdoptionCell({ adoption: { stage, sessions, sessionShare } }: { adoption: Adoption }) {
  if (stage === null) return <Nothing title="No sessions in the last 24 hours" />;
  const share = formatShare(sessionShare ?? 0, 1);
  return (
    <span
      className="flex items-center gap-2 whitespace-nowrap"
      title={`${formatExact(sessions)} sessions in the last 24 hours, ${share} of all sessions in its projects`}
    >
      <span className="numbers min-w-9 text-right">{share}</span>
      <AdoptionBadge stage={stage} />
    </span>
  );
}

function Sessions({ release: { health, sessionTrend } }: { release: ListedRelease }) {
  if (!health) return <Nothing title="No sessions in this time range" />;
  return (
    <span className="flex items-center gap-2">
      <Sparkline
        values={sessionTrend}
        label="Sessions over the selected time range"
        className="w-16 shrink-0"
      />
      <span className="numbers" title={formatExact(health.sessions)}>
        {formatCount(health.sessions)}
      </span>
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
