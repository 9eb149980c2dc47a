import type { Metadata } from 'next';
import type { PageRequest } from '#app/url-state.ts';
import { withQuery } from '#app/url-state.ts';
import { formatElapsed } from '#ui/format-elapsed.ts';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { Table, Td, Th, Tr } from '#ui/table.tsx';
import { TelemetryPage } from '../telemetry-page.tsx';

export const metadata: Metadata = { title: 'Explore traces' };

/** Transactions of all projects, newest first; each leads to its trace. */
export default function ExploreTracesPage(request: PageRequest<'org'>) {
  return (
    <TelemetryPage
      request={request}
      kind="transactions"
      dataset="traces"
      placeholder="Search by name, such as GET /checkout"
      empty="No transaction matches. SDKs send them once tracing is on: set tracesSampleRate."
    >
      {(rows, { organizationSlug, slugOf, now }) => (
        <Table label="Transactions">
          <thead>
            <tr>
              <Th>Transaction</Th>
              <Th>Operation</Th>
              <Th>Project</Th>
              <Th>Status</Th>
              <Th className="text-right">Duration</Th>
              <Th className="text-right">Spans</Th>
              <Th className="text-right">Began</Th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Tr key={row.eventId}>
                <Td className="min-w-48 max-w-96">
                  <Link
                    href={withQuery(`/${organizationSlug}/traces/${row.traceId}`, { span: row.spanId })}
                    title={row.name}
                    className="block truncate font-medium text-text no-underline hover:underline"
                  >
                    <bdi>{row.name}</bdi>
                  </Link>
                </Td>
                <Td className="max-w-40 truncate text-text-muted">{row.op}</Td>
                <Td className="whitespace-nowrap">{slugOf(row.projectId)}</Td>
                <Td className="whitespace-nowrap text-text-muted">{row.status}</Td>
                <Td className="numbers whitespace-nowrap text-right">
                  {formatElapsed(row.endedAtUs - row.startedAtUs)}
                </Td>
                {/* The root is one as well. */}
                <Td className="numbers text-right text-text-muted">{row.spanCount + 1}</Td>
                <Td className="whitespace-nowrap text-right text-text-muted">
                  <RelativeTime at={row.startedAtUs / US_PER_MS} now={now} />
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      )}
    </TelemetryPage>
  );
}

const US_PER_MS = 1_000;
