import { mergedHref, profileHref } from '#app/[org]/profile-href.ts';
import type { PageFilters } from '#app/url-state.ts';
import type { DigestedProfile } from '#protocol/telemetry.ts';
import { formatElapsed } from '#ui/format-elapsed.ts';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { numeric, Table, Td, Tr } from '#ui/table.tsx';

/** A profile in a row; each opens its graphs. */
export function ProfileTable({
  organizationSlug,
  profiles,
  slugOf,
  filters,
  now,
}: {
  organizationSlug: string;
  profiles: readonly DigestedProfile[];
  slugOf: (projectId: number) => string;
  filters: PageFilters;
  now: number;
}) {
  return (
    <Table
      label="Profiles"
      columns={[
        'Profile',
        'Project',
        'Platform',
        'Environment',
        'Release',
        numeric('Duration'),
        numeric('Began'),
      ]}
    >
      {profiles.map((row) => {
        const name = row.transactionName ?? `Profiler ${(row.profilerId ?? row.profileId).slice(0, 8)}`;
        return (
          <Tr key={row.profileId}>
            <Td className="min-w-48 max-w-96">
              <Link
                href={profileHref(organizationSlug, slugOf(row.projectId), row)}
                title={name}
                className="block truncate font-medium text-text no-underline hover:underline"
              >
                <bdi>{name}</bdi>
              </Link>
              <span className="flex gap-3 text-text-muted text-xs">
                {row.kind === 'profile_chunk' ? 'Continuous' : null}
                <Link
                  href={mergedHref({
                    organizationSlug,
                    projectSlug: slugOf(row.projectId),
                    transaction: row.transactionName,
                    filters,
                  })}
                  className="text-text-muted underline-offset-2 hover:underline"
                >
                  Merged flame graph
                </Link>
              </span>
            </Td>
            <Td className="whitespace-nowrap">{slugOf(row.projectId)}</Td>
            <Td className="whitespace-nowrap text-text-muted">{row.platform}</Td>
            <Td className="max-w-40 truncate text-text-muted">{row.environment}</Td>
            <Td className="max-w-40 truncate text-text-muted" title={row.release ?? undefined}>
              {row.release}
            </Td>
            <Td numeric>{row.durationMs === null ? '' : formatElapsed(row.durationMs * US_PER_MS)}</Td>
            <Td className="whitespace-nowrap text-right text-text-muted">
              <RelativeTime at={row.occurredAt} now={now} />
            </Td>
          </Tr>
        );
      })}
    </Table>
  );
}

const US_PER_MS = 1_000;
