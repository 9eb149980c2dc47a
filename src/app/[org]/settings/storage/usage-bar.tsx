import type { DiskUsage } from '#storage/ports/stored-days.ts';
import { formatBytes, formatShare } from '#ui/format-number.ts';

const PARTS: readonly { part: keyof DiskUsage['parts']; label: string; color: string }[] = [
  { part: 'clickhouse', label: 'Events and telemetry', color: 'var(--color-chart)' },
  { part: 'blobs', label: 'Attachments and other bodies', color: 'var(--color-chart-3)' },
  { part: 'artifacts', label: 'Source maps and other uploads', color: 'var(--color-chart-2)' },
  { part: 'postgres', label: 'Issues, accounts, settings', color: 'var(--color-chart-5)' },
  { part: 'spool', label: 'Spool, with the room it reserves', color: 'var(--color-chart-4)' },
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
