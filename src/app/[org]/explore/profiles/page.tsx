import type { Metadata } from 'next';
import { profileHref } from '#app/[org]/profile-href.ts';
import type { PageRequest } from '#app/url-state.ts';
import { formatElapsed } from '#ui/format-elapsed.ts';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { Table, Td, Th, Tr } from '#ui/table.tsx';
import { TelemetryPage } from '../telemetry-page.tsx';

export const metadata: Metadata = { title: 'Explore profiles' };

/** Profiles of transactions and chunks of continuous ones, of all projects, newest first. */
export default function ExploreProfilesPage(request: PageRequest<'org'>) {
  return (
    <TelemetryPage
      request={request}
      kind="profiles"
      dataset="profiles"
      placeholder="Search by transaction, such as GET /checkout"
      empty="No profile matches. SDKs send them once profiling is on: set profilesSampleRate, or profileSessionSampleRate for continuous profiles."
    >
      {(rows, { organizationSlug, slugOf, now }) => (
        <Table label="Profiles">
          <thead>
            <tr>
              <Th>Profile</Th>
              <Th>Project</Th>
              <Th>Platform</Th>
              <Th>Environment</Th>
              <Th>Release</Th>
              <Th className="text-right">Duration</Th>
              <Th className="text-right">Began</Th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => {
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
                    {row.kind === 'profile_chunk' ? (
                      <span className="text-text-muted text-xs">Continuous</span>
                    ) : null}
                  </Td>
                  <Td className="whitespace-nowrap">{slugOf(row.projectId)}</Td>
                  <Td className="whitespace-nowrap text-text-muted">{row.platform}</Td>
                  <Td className="max-w-40 truncate text-text-muted">{row.environment}</Td>
                  <Td className="max-w-40 truncate text-text-muted" title={row.release ?? undefined}>
                    {row.release}
                  </Td>
                  <Td className="numbers whitespace-nowrap text-right">
                    {row.durationMs === null ? '' : formatElapsed(row.durationMs * US_PER_MS)}
                  </Td>
                  <Td className="whitespace-nowrap text-right text-text-muted">
                    <RelativeTime at={row.occurredAt} now={now} />
                  </Td>
                </Tr>
              );
            })}
          </tbody>
        </Table>
      )}
    </TelemetryPage>
  );
}

const US_PER_MS = 1_000;
