import { visibleText } from '#lib/visible-text.ts';
import type { ProjectMonitor } from '#product/monitors/monitors.ts';
import { formatExact } from '#ui/format-number.ts';
import { RelativeTime } from '#ui/relative-time.tsx';
import { numeric, Table, Td, Tr } from '#ui/table.tsx';
import { TableTime } from '#ui/table-time.tsx';
import { EnvironmentMark } from '../cron-list.tsx';
import { EnvironmentMenu } from './monitor-controls.tsx';

/** How a monitor stands in each environment. */
export function EnvironmentTable({
  organizationSlug,
  monitor,
  canChange,
  now,
}: {
  organizationSlug: string;
  monitor: ProjectMonitor;
  canChange: boolean;
  now: number;
}) {
  return (
    <Table
      label="Environments"
      columns={[
        'Environment',
        'Last check-in',
        'Next expected',
        numeric('Failures in a row'),
        ...(canChange ? [{ heading: 'Actions', align: 'right' } as const] : []),
      ]}
    >
      {monitor.environments.map((environment) => {
        const { id, name, lastCheckInAt, nextExpectedAt, failures } = environment;
        return (
          <Tr key={id}>
            <Td>
              <span className="flex items-center gap-2">
                <bdi className="min-w-24 [overflow-wrap:anywhere]">{visibleText(name)}</bdi>
                <EnvironmentMark environment={environment} />
              </span>
            </Td>
            <Td className="whitespace-nowrap">
              {lastCheckInAt === null ? '–' : <RelativeTime at={lastCheckInAt} now={now} />}
            </Td>
            <Td className="numbers whitespace-nowrap">
              {nextExpectedAt === null ? '–' : <TableTime at={nextExpectedAt} />}
            </Td>
            <Td numeric>{formatExact(failures)}</Td>
            {canChange ? (
              <Td align="right">
                <EnvironmentMenu
                  organizationSlug={organizationSlug}
                  monitorId={monitor.id}
                  environment={{
                    name,
                    isMuted: environment.isMuted,
                    isDisabled: environment.isDisabled,
                  }}
                />
              </Td>
            ) : null}
          </Tr>
        );
      })}
    </Table>
  );
}
