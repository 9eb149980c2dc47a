import { HardDrive } from 'lucide-react';
import type { Metadata } from 'next';
import { saveBudgetAction, saveRetentionAction } from '#app/[org]/settings/organization-actions.ts';
import { FieldsForm } from '#app/forms/fields-form.tsx';
import { getRequestContext } from '#app/request-context.ts';
import type { PageRequest } from '#app/url-state.ts';
import { isInstanceOwner } from '#product/acting-user.ts';
import {
  getStorageOverview,
  type NamedDrop,
  type StoredGroup,
} from '#product/retention/get-storage-overview.ts';
import { getServices } from '#product/services.ts';
import type { RetentionDays } from '#protocol/retention.ts';
import { Card } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { formatBytes, formatExact } from '#ui/format-number.ts';
import { Notice } from '#ui/notice.tsx';
import { Page } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { numeric, Table, Td, Tr } from '#ui/table.tsx';
import { PartitionTable } from './partition-table.tsx';
import { ProjectTable, UsageBar } from './project-table.tsx';
import {
  BUDGET_FIELDS,
  DROP_REASONS,
  GROUP_LABELS,
  kindLabel,
  partLabel,
  RETENTION_FIELDS,
} from './storage-fields.ts';

export const metadata: Metadata = { title: 'Storage' };

export default async function StoragePage({ params }: PageRequest<'org'>) {
  const { org } = await params;
  const ctx = await getRequestContext(org);
  if (!isInstanceOwner(ctx)) return <OwnerOnly />;
  const { usage, days, groups, projects, blobs, partitions, drops } = await getStorageOverview(ctx);
  const choices = projects.map(({ projectId, name }) => ({ value: String(projectId), label: name }));
  const refused = projects.filter(({ refusal }) => refusal !== null);
  return (
    <Page
      title="Storage"
      description="What this instance stores, for how long, and what it has deleted. When the disk budget is nearly used up, floods are deleted first, then the oldest data of the projects that use the most."
    >
      <div className="flex flex-col gap-5">
        <Card title="Disk budget">
          <UsageBar usage={usage} />
          <p className="mt-4 text-sm text-text-muted">
            {blobs
              ? `Attachments, replays, profiles and crash dumps use ${formatBytes(blobs.bytes)} of their ${formatBytes(blobs.bytesMax)} share.`
              : 'Attachments, replays, profiles and crash dumps are in object storage: they are kept for as long as set below, and do not count here.'}
          </p>
          {refused.length > 0 ? (
            <div className="mt-4">
              <Notice
                tone="warning"
                title={`New attachments are rejected for ${refused.length === 1 ? 'a project' : `${refused.length} projects`}`}
              >
                Events are still accepted: {refused.map(({ name }) => name).join(', ')}.
              </Notice>
            </div>
          ) : null}
        </Card>
        <Card flush title="Projects" id="projects">
          <ProjectTable projects={projects} budgetBytes={usage.budgetBytes} />
        </Card>
        {projects.length > 0 ? (
          <Card title="Project budget" id="budgets">
            <FieldsForm
              fields={{ ...BUDGET_FIELDS, project: { ...BUDGET_FIELDS.project, options: choices } }}
              values={{ project: choices[0]?.value }}
              save={{
                action: saveBudgetAction.bind(null, org, null),
                label: 'Save budget',
                doneTitle: 'Budget saved. It takes effect within a minute.',
              }}
              columns={2}
              note="A project over its budget loses its own oldest data, attachments first. Other projects are not affected."
            />
          </Card>
        ) : null}
        <Card flush title="Stored now">
          <StoredTable groups={groups} days={days} />
        </Card>
        <Card title="Retention" id="days">
          <FieldsForm
            fields={RETENTION_FIELDS}
            values={days}
            save={{
              action: saveRetentionAction.bind(null, org, null),
              label: 'Save retention',
              doneTitle: 'Retention saved. Older data is deleted within a minute.',
            }}
            columns={3}
            note="Shortening a period permanently deletes stored data. Clear a field to use the instance's default."
          />
        </Card>
        {partitions.length > 0 ? (
          <Card flush title="Spool partitions" id="partitions">
            <PartitionTable partitions={partitions} now={getServices().now()} />
          </Card>
        ) : null}
        <Card flush title="Deleted data">
          <DropTable drops={drops} now={getServices().now()} />
        </Card>
      </div>
    </Page>
  );
}

function OwnerOnly() {
  return (
    <Page title="Storage">
      <div className="rounded-lg border bg-surface-raised">
        <EmptyState icon={<HardDrive />} title="Only the instance owner can see storage">
          The instance owner, who set up this server, can see its usage and set how long data is kept.
        </EmptyState>
      </div>
    </Page>
  );
}

function StoredTable({ groups, days }: { groups: readonly StoredGroup[]; days: RetentionDays }) {
  return (
    <Table
      label="Stored data by kind"
      columns={['Kind', numeric('Rows'), numeric('On disk'), numeric('Oldest day'), numeric('Kept for')]}
    >
      {groups.map(({ group, rows, bytes, oldestDay }) => (
        <Tr key={group}>
          <Td className="whitespace-nowrap font-medium">{GROUP_LABELS[group].label}</Td>
          <Td align="right">{formatExact(rows)}</Td>
          <Td numeric>{formatBytes(bytes)}</Td>
          <Td numeric>{oldestDay ?? <span className="text-text-faint">nothing yet</span>}</Td>
          <Td numeric>{days[group]} days</Td>
        </Tr>
      ))}
    </Table>
  );
}

function DropTable({ drops, now }: { drops: readonly NamedDrop[]; now: number }) {
  if (drops.length === 0) {
    return (
      <p className="px-4 py-8 text-center text-sm text-text-muted">
        Nothing has been deleted yet. Data deleted because of its age or the disk budget is listed here, and
        counted as expired in the statistics.
      </p>
    );
  }
  return (
    <Table
      label="Deleted data, newest first"
      columns={[
        'What',
        'Project',
        'Arrived on',
        numeric('Rows'),
        numeric('Freed'),
        'Reason',
        numeric('When'),
      ]}
    >
      {drops.map((drop) => (
        <Tr key={drop.id}>
          <Td className="font-medium">{kindLabel(drop.kind)}</Td>
          <Td className="whitespace-nowrap">
            {drop.projectName ?? <span className="text-text-muted">all projects</span>}
          </Td>
          <Td className="whitespace-nowrap">
            {drop.day}
            {partLabel(drop) === null ? '' : `, ${partLabel(drop)}`}
          </Td>
          <Td align="right">{formatExact(drop.rows)}</Td>
          <Td numeric>{formatBytes(drop.bytes)}</Td>
          <Td>{DROP_REASONS[drop.reason]}</Td>
          <Td align="right">
            {drop.doneAt === null ? 'in progress' : <RelativeTime at={drop.startedAt} now={now} />}
          </Td>
        </Tr>
      ))}
    </Table>
  );
}
