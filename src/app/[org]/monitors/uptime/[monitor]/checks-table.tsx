import type { UptimeCheck } from '#domain/uptime/check.ts';
import { formatDuration } from '#domain/uptime/format-duration.ts';
import { visibleText } from '#lib/visible-text.ts';
import { Link } from '#ui/navigation/link.tsx';
import { numeric, Table, Td, Tr } from '#ui/table.tsx';
import { TableTime } from '#ui/table-time.tsx';
import { describePhases } from '../phases.ts';
import { REASON_LABELS } from '../uptime-labels.ts';

/** Checks, newest first: what each found, and where its time went. */
export function ChecksTable({
  organizationSlug,
  checks,
}: {
  organizationSlug: string;
  checks: readonly UptimeCheck[];
}) {
  return (
    <Table
      label="Checks"
      columns={['Time', 'Result', numeric('Status'), numeric('Duration'), 'Phases', 'Trace']}
    >
      {checks.map((check) => (
        <Tr key={check.checkId}>
          <Td className="whitespace-nowrap">
            <TableTime at={check.checkedAt} />
          </Td>
          <Td className="min-w-48">
            <p className={COLORS[check.status]}>{resultLabel(check)}</p>
            {check.detail === '' ? null : (
              <p className="break-anything text-text-muted text-xs">
                <bdi>{visibleText(check.detail)}</bdi>
              </p>
            )}
          </Td>
          <Td numeric>{check.statusCode ?? '—'}</Td>
          <Td numeric>{formatDuration(check.durationMs)}</Td>
          <Td className="whitespace-nowrap text-text-muted text-xs">{describePhases(check)}</Td>
          <Td>
            <Link
              href={`/${organizationSlug}/traces/${check.traceId}`}
              className="mono text-accent text-xs hover:underline"
            >
              {check.traceId.slice(0, 7)}
            </Link>
          </Td>
        </Tr>
      ))}
    </Table>
  );
}

const COLORS: Readonly<Record<UptimeCheck['status'], string>> = {
  success: 'text-success',
  failure: 'text-danger',
  unknown: 'text-text-muted',
};

function resultLabel({ status, reason, isRetry, isInMaintenance }: UptimeCheck): string {
  const result =
    status === 'success'
      ? 'Success'
      : status === 'unknown'
        ? 'Unknown'
        : reason
          ? REASON_LABELS[reason]
          : 'Failure';
  const remarks = [...(isRetry ? ['retry'] : []), ...(isInMaintenance ? ['maintenance'] : [])];
  return remarks.length === 0 ? result : `${result} (${remarks.join(', ')})`;
}
