import type { BackupRun } from '#product/backups/backup-store.ts';
import { Badge } from '#ui/badge.tsx';
import { formatElapsed } from '#ui/format-elapsed.ts';
import { formatBytes, formatExact } from '#ui/format-number.ts';
import { RelativeTime } from '#ui/relative-time.tsx';
import { numeric, Table, Td, Tr } from '#ui/table.tsx';

const STEPS: Readonly<Record<string, string>> = {
  pause: 'Waiting for the batch that is being processed',
  postgres: 'Copying issues, accounts and settings',
  clickhouse: 'Copying events and telemetry',
  blobs: 'Copying attachments, replays and profiles',
  artifacts: 'Copying source maps and other uploads',
  finish: 'Finishing',
};
const ORIGINS: Readonly<Record<BackupRun['origin'], string>> = {
  schedule: 'Schedule',
  request: 'Back up now',
  command: 'Command line',
  upgrade: 'Before an upgrade',
};

/** Of the backup that waits or is being made. */
export function BackupProgress({ run }: { run: BackupRun }) {
  const { state, step, done, total, bytes } = run;
  const isWaiting = state === 'waiting';
  const percent = total === null || total === 0 ? null : Math.min(100, Math.floor((done / total) * 100));
  const count = total === null ? formatExact(done) : `${formatExact(done)} of ${formatExact(total)}`;
  return (
    <div>
      <div
        role="progressbar"
        aria-label="Backup"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent ?? undefined}
        className="h-2 overflow-hidden rounded-sm bg-surface-pressed"
      >
        <div
          className="h-full bg-accent-solid transition-[width]"
          style={{ width: `${isWaiting ? 0 : (percent ?? 100)}%`, opacity: percent === null ? 0.6 : 1 }}
        />
      </div>
      <p aria-live="polite" className="mt-2 text-sm text-text-muted">
        {isWaiting
          ? 'The backup begins in a moment.'
          : `${STEPS[step ?? 'pause'] ?? 'Copying'}: ${count}. ${formatBytes(bytes)} written.`}
      </p>
    </div>
  );
}

export function RunTable({ runs, now }: { runs: readonly BackupRun[]; now: number }) {
  if (runs.length === 0) {
    return (
      <p className="px-4 py-8 text-center text-sm text-text-muted">
        No backup has been made yet. Each one is listed here with its size, and with what went wrong if it
        failed.
      </p>
    );
  }
  return (
    <Table
      label="Backups, newest first"
      columns={[
        'State',
        'Started by',
        numeric('Size'),
        numeric('New'),
        numeric('Events'),
        numeric('Took'),
        numeric('When'),
      ]}
    >
      {runs.map((run) => (
        <Tr key={run.id}>
          <Td>
            <State run={run} />
          </Td>
          <Td className="whitespace-nowrap">{ORIGINS[run.origin]}</Td>
          <Td numeric>{run.state === 'done' ? formatBytes(run.bytes) : NONE}</Td>
          <Td numeric>{run.newBytes === null ? NONE : formatBytes(run.newBytes)}</Td>
          <Td align="right">{run.events === null ? NONE : formatExact(run.events)}</Td>
          <Td numeric>
            {run.finishedAt === null || run.startedAt === null
              ? NONE
              : formatElapsed((run.finishedAt - run.startedAt) * 1_000)}
          </Td>
          <Td align="right">
            <RelativeTime at={run.createdAt} now={now} />
          </Td>
        </Tr>
      ))}
    </Table>
  );
}

const NONE = <span className="text-text-faint">–</span>;

function State({ run }: { run: BackupRun }) {
  switch (run.state) {
    case 'waiting':
      return <Badge>waiting</Badge>;
    case 'running':
      return <Badge tone="accent">running</Badge>;
    case 'done':
      return (
        <span className="flex flex-col items-start gap-0.5">
          <Badge tone="success">done</Badge>
          <span className="mono whitespace-nowrap text-text-muted text-xs">{run.backupId}</span>
          <span className="text-text-muted text-xs">{run.isEncrypted ? 'encrypted' : 'not encrypted'}</span>
        </span>
      );
    case 'failed':
      return (
        <span className="flex flex-col items-start gap-0.5">
          <Badge tone="danger">failed</Badge>
          <span className="break-anything min-w-48 text-text-muted text-xs">{run.error}</span>
        </span>
      );
  }
}
