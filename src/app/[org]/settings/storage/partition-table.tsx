import type { SpoolPartition } from '#product/spool/spool-partition-store.ts';
import { formatExact } from '#ui/format-number.ts';
import { RelativeTime } from '#ui/relative-time.tsx';
import { numeric, Table, Td, Tr } from '#ui/table.tsx';

/** Which digest has which partition of the topic, and how far behind it is. */
export function PartitionTable({ partitions, now }: { partitions: readonly SpoolPartition[]; now: number }) {
  return (
    <Table
      label="Partitions of the Kafka topic"
      columns={[
        'Partition',
        'Digest',
        numeric('Waiting'),
        numeric('Oldest'),
        numeric('Records/s'),
        numeric('Lost'),
        numeric('Updated'),
      ]}
    >
      {partitions.map((each) => (
        <Tr key={each.partition}>
          <Td className="font-medium">{each.partition}</Td>
          <Td className="whitespace-nowrap">
            {each.owner ?? <span className="text-text-muted">none</span>}
            {each.trouble === null ? null : (
              <span className="block whitespace-normal text-text-muted">{each.trouble}</span>
            )}
          </Td>
          <Td align="right">{formatExact(Math.max(0, each.endPosition - each.position))}</Td>
          <Td align="right">
            {each.oldestReceivedAt === null ? '–' : <RelativeTime at={each.oldestReceivedAt} now={now} />}
          </Td>
          <Td align="right">{formatExact(Math.round(each.recordsPerSecond))}</Td>
          <Td align="right">{formatExact(each.lostRecords)}</Td>
          <Td align="right">
            <RelativeTime at={each.updatedAt} now={now} />
          </Td>
        </Tr>
      ))}
    </Table>
  );
}
