import type { ProjectStorage } from '#product/retention/get-storage-overview.ts';
import type { BlobRefusal } from '#protocol/storage-budget.ts';
import type { DiskUsage } from '#storage/ports/stored-days.ts';
import { Badge } from '#ui/badge.tsx';
import { formatBytes, formatShare } from '#ui/format-number.ts';
import { numeric, Table, Td, Tr } from '#ui/table.tsx';

const REFUSALS: Readonly<Record<BlobRefusal, string>> = {
  project_budget: 'Over its own budget',
  project_growth: 'Growing too fast',
  blob_share: 'Attachments have filled their share',
  near_budget: 'The disk budget is nearly used up',
  full: 'The disk budget is used up',
};

export function ProjectTable({
  projects,
  budgetBytes,
}: {
  projects: readonly ProjectStorage[];
  budgetBytes: number;
}) {
  if (projects.length === 0) {
    return (
      <p className="px-4 py-8 text-center text-sm text-text-muted">
        Usage by project is measured once a minute. Nothing has been measured yet.
      </p>
    );
  }
  return (
    <Table
      label="Disk usage by project, largest first"
      columns={['Project', 'Usage', numeric('Events'), numeric('Attachments'), numeric('Budget')]}
    >
      {projects.map((project) => (
        <Tr key={project.projectId}>
          <Td>
            <span className="whitespace-nowrap font-medium">{project.name}</span>
            {project.refusal === null ? null : (
              <span className="mt-1 flex flex-wrap items-center gap-x-2 text-text-muted text-xs">
                <Badge tone="danger">attachments rejected</Badge>
                {REFUSALS[project.refusal]}
              </span>
            )}
          </Td>
          <Td>
            <ProjectBar project={project} budgetBytes={project.budgetBytes ?? budgetBytes} />
          </Td>
          <Td numeric>{formatBytes(project.rowBytes)}</Td>
          <Td numeric>{formatBytes(project.blobBytes)}</Td>
          <Td numeric>
            {project.budgetBytes === null ? (
              <span className="text-text-muted">automatic</span>
            ) : (
              formatBytes(project.budgetBytes)
            )}
          </Td>
        </Tr>
      ))}
    </Table>
  );
}

function ProjectBar({ project, budgetBytes }: { project: ProjectStorage; budgetBytes: number }) {
  const used = project.rowBytes + project.blobBytes;
  const scale = Math.max(budgetBytes, used, 1);
  const percent = Math.round((used / scale) * 1000) / 10;
  return (
    <div
      role="img"
      aria-label={`${percent}% of ${project.budgetBytes === null ? 'the disk budget' : 'its budget'}`}
      className="flex h-2 w-32 overflow-hidden rounded-full bg-surface-sunken"
    >
      <span style={{ background: 'var(--color-chart)', width: `${(project.rowBytes / scale) * 100}%` }} />
      <span style={{ background: 'var(--color-chart-3)', width: `${(project.blobBytes / scale) * 100}%` }} />
    </div>
  );
}

const PARTS: readonly { part: keyof DiskUsage['parts']; label: string; color: string }[] = [
  { part: 'clickhouse', label: 'Events and telemetry', color: 'var(--color-chart)' },
  { part: 'blobs', label: 'Attachments and other blobs', color: 'var(--color-chart-3)' },
  { part: 'artifacts', label: 'Source maps and other uploads', color: 'var(--color-chart-2)' },
  { part: 'postgres', label: 'Issues, accounts, settings', color: 'var(--color-chart-5)' },
  { part: 'spool', label: 'Spool, including reserved space', color: 'var(--color-chart-4)' },
  { part: 'other', label: 'Other files', color: 'var(--color-chart-6)' },
];

/** What the data directory holds, as a share of its budget. */
export function UsageBar({ usage }: { usage: DiskUsage }) {
  const scale = Math.max(usage.budgetBytes, usage.usedBytes);
  return (
    <div className="flex flex-col gap-4">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="numbers font-semibold text-xl">{formatBytes(usage.usedBytes)}</span>
        <span className="text-sm text-text-muted">
          of {formatBytes(usage.budgetBytes)} used ({formatShare(usage.usedBytes, usage.budgetBytes)}); the
          volume has {formatBytes(usage.freeBytes)} free
        </span>
      </p>
      <div
        role="img"
        aria-label={`${formatShare(usage.usedBytes, usage.budgetBytes)} of the budget is used`}
        className="flex h-3 overflow-hidden rounded-full bg-surface-sunken"
      >
        {PARTS.map(({ part, color }) => (
          <span key={part} style={{ background: color, width: `${(usage.parts[part] / scale) * 100}%` }} />
        ))}
      </div>
      <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-2 lg:grid-cols-3">
        {PARTS.map(({ part, label, color }) => (
          <div key={part} className="flex items-baseline gap-2 text-sm">
            <span aria-hidden className="size-2.5 shrink-0 rounded-xs" style={{ background: color }} />
            <dt className="min-w-0 flex-1 text-text-muted">{label}</dt>
            <dd className="numbers">{formatBytes(usage.parts[part])}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
