import type { DigestedEvent, Level, NormalizedEvent } from '#protocol/event.ts';
import type { EventSummary, StoredEvent } from '#storage/ports/events.ts';

/** A row as it is inserted: what an event does not have is empty, times are milliseconds since the epoch. */
export const toRow = (event: DigestedEvent): object => ({
  organization_id: event.organizationId,
  project_id: event.projectId,
  key_id: event.keyId,
  event_id: event.eventId,
  grouping_hash: event.groupingHash,
  type: event.type,
  level: event.level,
  platform: event.platform,
  occurred_at: Math.trunc(event.occurredAt),
  received_at: Math.trunc(event.receivedAt),
  title: event.title.toWellFormed(),
  culprit: event.culprit.toWellFormed(),
  message: event.message.toWellFormed(),
  metadata: JSON.stringify(event.metadata),
  logger: event.logger?.toWellFormed() ?? '',
  release: event.release?.toWellFormed() ?? '',
  dist: event.dist?.toWellFormed() ?? '',
  environment: event.environment?.toWellFormed() ?? '',
  transaction: event.transaction?.toWellFormed() ?? '',
  trace_id: event.traceId ?? '',
  user_id: event.user.id?.toWellFormed() ?? '',
  user_email: event.user.email?.toWellFormed() ?? '',
  user_username: event.user.username?.toWellFormed() ?? '',
  user_ip: event.user.ip ?? '',
  sdk_name: event.sdk.name.toWellFormed(),
  sdk_version: event.sdk.version.toWellFormed(),
  tags: Object.fromEntries(event.tags.map(([key, value]) => [key.toWellFormed(), value.toWellFormed()])),
  payload: JSON.stringify(event.payload),
});

/** The columns of a summary, as they are selected. */
export const SUMMARY_COLUMNS = `
  event_id, project_id, grouping_hash, title, message, culprit, level, platform,
  toUnixTimestamp64Milli(occurred_at) AS occurred_ms, toUnixTimestamp64Milli(received_at) AS received_ms,
  release, environment, transaction, user_id, user_email, user_username, user_ip,
  mapKeys(tags) AS tag_keys, mapValues(tags) AS tag_values`;

export type SummaryRow = {
  event_id: string;
  project_id: number;
  grouping_hash: string;
  title: string;
  message: string;
  culprit: string;
  level: Level;
  platform: string;
  occurred_ms: number;
  received_ms: number;
  release: string;
  environment: string;
  transaction: string;
  user_id: string;
  user_email: string;
  user_username: string;
  user_ip: string;
  tag_keys: readonly string[];
  tag_values: readonly string[];
};

export type StoredRow = SummaryRow & { payload: string };

export const toSummary = (row: SummaryRow): EventSummary => ({
  eventId: row.event_id,
  projectId: row.project_id,
  groupingHash: row.grouping_hash,
  title: row.title,
  message: row.message,
  culprit: row.culprit,
  level: row.level,
  platform: row.platform,
  occurredAt: row.occurred_ms,
  receivedAt: row.received_ms,
  release: row.release || null,
  environment: row.environment || null,
  transaction: row.transaction || null,
  user: {
    id: row.user_id || null,
    email: row.user_email || null,
    username: row.user_username || null,
    ip: row.user_ip || null,
  },
  tags: row.tag_keys.map((key, index) => [key, row.tag_values[index] ?? ''] as const),
});

export const toStored = (row: StoredRow): StoredEvent => ({
  ...toSummary(row),
  payload: JSON.parse(row.payload) as NormalizedEvent,
});
