import { visibleText } from '#lib/visible-text.ts';
import type { ExpectedCheckIn } from '#product/monitors/monitors.ts';
import { formatElapsed } from '#ui/format-elapsed.ts';
import { Table, Td, Tr } from '#ui/table.tsx';
import { TableTime } from '#ui/table-time.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { CheckInBadge } from '../check-in-status.tsx';

/** Check-ins, the last begun first. */
export function CheckInTable({
  organizationSlug,
  checkIns,
}: {
  organizationSlug: string;
  checkIns: readonly ExpectedCheckIn[];
}) {
  return (
    <Table
      label="Check-ins"
      columns={['Status', 'Expected', 'Started', { heading: 'Duration', align: 'right' }, 'Trace']}
    >
      {checkIns.map((checkIn) => {
        const { checkInId, status, startedAt, expectedAt, durationMs, environment, traceId } = checkIn;
        const hasStarted = status !== 'missed';
        return (
          <Tr key={`${checkInId} ${startedAt} ${status}`}>
            <Td>
              <CheckInBadge status={status} />
              <p className="break-anything mt-0.5 min-w-24 text-text-muted text-xs">
                <bdi>{visibleText(environment)}</bdi>
              </p>
            </Td>
            <Td className="numbers whitespace-nowrap text-text-muted">
              {expectedAt === null ? '–' : <TableTime at={expectedAt} />}
            </Td>
            <Td className="numbers whitespace-nowrap">{hasStarted ? <TableTime at={startedAt} /> : '–'}</Td>
            <Td numeric>{durationMs === null ? '–' : formatElapsed(1_000 * durationMs)}</Td>
            <Td>
              {traceId === null ? (
                '–'
              ) : (
                <TextLink href={`/${organizationSlug}/traces/${traceId}`} className="mono text-xs">
                  {traceId.slice(0, 8)}
                </TextLink>
              )}
            </Td>
          </Tr>
        );
      })}
    </Table>
  );
}
