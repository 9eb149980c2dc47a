import { fieldForEach, fields } from '#app/forms/fields.ts';
import type { DropReason, RetentionDrop } from '#product/retention/store/retention-store.ts';
import { RETENTION_GROUPS, type RetentionGroup } from '#protocol/retention.ts';
import type { StoredKind } from '#storage/ports/stored-days.ts';

export const GROUP_LABELS: Readonly<Record<RetentionGroup, { label: string; holds: string }>> = {
  errors: { label: 'Errors', holds: 'Events with their attachments and feedback, and their issues.' },
  traces: { label: 'Traces', holds: 'Transactions and spans.' },
  logs: { label: 'Logs', holds: 'Structured logs.' },
  metrics: { label: 'Metrics', holds: 'Metrics sent by your apps.' },
  sessions: { label: 'Sessions', holds: 'Release health.' },
  check_ins: { label: 'Check-ins', holds: 'Reports from scheduled jobs, and uptime checks.' },
  replays: { label: 'Replays', holds: 'Recordings of sessions.' },
  profiles: { label: 'Profiles', holds: 'Transaction profiles and continuous profiles.' },
  stats: { label: 'Statistics', holds: 'Counts of incoming data and its outcomes.' },
};

export const RETENTION_FIELDS = fieldForEach(RETENTION_GROUPS, (group) => ({
  kind: 'number',
  label: GROUP_LABELS[group].label,
  unit: 'days',
  help: GROUP_LABELS[group].holds,
  isOptional: true,
  max: 6,
}));

export const BUDGET_FIELDS = fields({
  project: { kind: 'choice', label: 'Project' },
  budget: {
    kind: 'number',
    label: 'Budget',
    unit: 'GiB',
    help: 'Leave empty to give the project its fair share automatically.',
    isOptional: true,
    allowsFraction: true,
    max: 12,
  },
});

const KIND_LABELS: Readonly<Record<StoredKind | 'blobs', string>> = {
  events: 'events',
  transactions: 'transactions',
  spans: 'spans',
  logs: 'logs',
  metrics: 'metrics',
  sessions: 'session updates',
  checkIns: 'check-ins',
  uptimeChecks: 'uptime checks',
  feedback: 'feedback',
  attachments: 'attachments',
  replays: 'replays',
  replaySegments: 'replay segments',
  profiles: 'profiles',
  blobs: 'unused attachments and other blobs',
};

export const kindLabel = (kind: RetentionDrop['kind']): string => KIND_LABELS[kind];

export const DROP_REASONS: Readonly<Record<DropReason, string>> = {
  age: 'retention period expired',
  disk_budget: 'disk budget',
  blob_budget: 'attachment budget full',
  project_budget: 'project budget',
};

/** What of a day was dropped, as a remark behind the day; null for the whole day. */
export function partLabel({ part, hours }: Pick<RetentionDrop, 'part' | 'hours'>): string | null {
  if (part !== null) return 'a part';
  return hours.length === 0 ? null : `${hours.length} of 24 hours`;
}
