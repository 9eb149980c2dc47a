import type { RetentionGroup } from '#protocol/retention.ts';
import type { RetentionDrop, StoredKind } from '#storage/ports/retention.ts';

export const GROUP_LABELS: Readonly<Record<RetentionGroup, { label: string; holds: string }>> = {
  errors: { label: 'Errors', holds: 'Events with their attachments and feedback, and the issues they make.' },
  traces: { label: 'Traces', holds: 'Transactions and spans.' },
  logs: { label: 'Logs', holds: 'Structured logs.' },
  metrics: { label: 'Metrics', holds: 'Metrics that programs send.' },
  sessions: { label: 'Sessions', holds: 'Release health.' },
  check_ins: { label: 'Check-ins', holds: 'What scheduled jobs reported.' },
  replays: { label: 'Replays', holds: 'Recordings of sessions.' },
  profiles: { label: 'Profiles', holds: 'Profiles of transactions and continuous ones.' },
  stats: { label: 'Statistics', holds: 'Counts of what came in and what became of it.' },
};

const KIND_LABELS: Readonly<Record<StoredKind | 'blobs', string>> = {
  events: 'events',
  transactions: 'transactions',
  spans: 'spans',
  logs: 'logs',
  metrics: 'metrics',
  sessions: 'session updates',
  checkIns: 'check-ins',
  feedback: 'feedback',
  attachments: 'attachments',
  replays: 'replays',
  replaySegments: 'replay segments',
  profiles: 'profiles',
  blobs: 'bodies that nothing named any more',
};

export const kindLabel = (kind: RetentionDrop['kind']): string => KIND_LABELS[kind];
