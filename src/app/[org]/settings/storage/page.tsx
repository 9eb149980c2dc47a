import { HardDrive } from 'lucide-react';
import type { Metadata } from 'next';
import { getRequestContext } from '#app/request-context.ts';
import { getStorageOverview, type StoredGroup } from '#product/retention/get-storage-overview.ts';
import { isInstanceOwner } from '#product/retention/require-instance-owner.ts';
import { getServices } from '#product/services.ts';
import type { RetentionDays } from '#protocol/retention.ts';
import type { RetentionDrop } from '#storage/ports/retention.ts';
import { Card } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { formatBytes, formatExact } from '#ui/format-number.ts';
import { PageBody, PageHeader } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { Table, Td, Th, Tr } from '#ui/table.tsx';
import { RetentionForm } from './retention-form.tsx';
import { GROUP_LABELS, kindLabel } from './retention-words.ts';
import { UsageBar } from './usage-bar.tsx';

export const metadata: Metadata = { title: 'Storage' };

export default async function StoragePage({ params }: { params: Promise<{ org: string }> }) {
  const { org } = await params;
  const ctx = await getRequestContext(org);
  if (!isInstanceOwner(ctx)) return <OwnerOnly />;
  const { usage, days, groups, drops } = await getStorageOverview(ctx);
  return (
    <PageBody>
      <PageHeader
        title="Storage"
        description="What this instance keeps, for how long, and what it has dropped. When the budget is nearly used, the oldest days go first, of every kind."
      />
      <div className="flex flex-col gap-5">
        <Card title="Disk budget">
          <UsageBar usage={usage} />
        </Card>
        <Card flush title="Stored now">
          <StoredTable groups={groups} days={days} />
        </Card>
        <Card title="Days to keep" id="days">
          <RetentionForm orgSlug={org} days={days} />
        </Card>
        <Card flush title="What was dropped">
          <DropTable drops={drops} now={getServices().now()} />
        </Card>
      </div>
    </PageBody>
  );
}

function OwnerOnly() {
  return (
    <PageBody>
      <PageHeader title="Storage" />
      <div className="rounded-lg border bg-surface-raised">
        <EmptyState icon={<HardDrive />} title="Storage belongs to the whole instance">
          Its owner, who set it up, sees what is used and decides how long data is kept.
        </EmptyState>
      </div>
    </PageBody>
  );
}

function StoredTable({ groups, days }: { groups: readonly StoredGroup[]; days: RetentionDays }) {
  return (
    <Table label="Stored data by kind">
      <thead>
        <tr>
          <Th>Kind</Th>
          <Th align="right">Rows</Th>
          <Th align="right">On disk</Th>
          <Th align="right">Oldest day</Th>
          <Th align="right">Kept for</Th>
        </tr>
      </thead>
      <tbody>
        {groups.map(({ group, rows, bytes, oldestDay }) => (
          <Tr key={group}>
            <Td className="whitespace-nowrap font-medium">{GROUP_LABELS[group].label}</Td>
            <Td align="right">{formatExact(rows)}</Td>
            <Td align="right" className="whitespace-nowrap">
              {formatBytes(bytes)}
            </Td>
            <Td align="right" className="whitespace-nowrap">
              {oldestDay ?? <span className="text-text-faint">nothing yet</span>}
            </Td>
            <Td align="right" className="whitespace-nowrap">
              {days[group]} days
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}

function DropTable({ drops, now }: { drops: readonly RetentionDrop[]; now: number }) {
  if (drops.length === 0) {
    return (
      <p className="px-4 py-8 text-center text-sm text-text-muted">
        Nothing was dropped yet. What goes by its age or for the budget is listed here, and counted as expired
        in the statistics.
      </p>
    );
  }
  return (
    <Table label="Dropped data, newest first">
      <thead>
        <tr>
          <Th>What</Th>
          <Th>Arrived on</Th>
          <Th align="right">Rows</Th>
          <Th align="right">Freed</Th>
          <Th>Why</Th>
          <Th align="right">When</Th>
        </tr>
      </thead>
      <tbody>
        {drops.map((drop) => (
          <Tr key={drop.id}>
            <Td className="font-medium">{kindLabel(drop.kind)}</Td>
            <Td className="whitespace-nowrap">
              {drop.day}
              {drop.part === null ? '' : ', a part'}
            </Td>
            <Td align="right">{formatExact(drop.rows)}</Td>
            <Td align="right" className="whitespace-nowrap">
              {formatBytes(drop.bytes)}
            </Td>
            <Td>{drop.reason === 'age' ? 'older than its days' : 'disk budget'}</Td>
            <Td align="right">
              {drop.doneAt === null ? 'under way' : <RelativeTime at={drop.startedAt} now={now} />}
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}
