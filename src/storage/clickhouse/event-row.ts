import type { DigestedEvent, EventMetadata, EventType, Level, NormalizedEvent } from '#protocol/event.ts';
import type { EventSummary, StoredEvent } from '#storage/ports/events.ts';
import type { RowBinaryWriter } from './row-binary.ts';
import { SEARCH_COLUMNS, type SearchColumns, writeSearchColumns } from './search/search-columns.ts';

/** The columns that are inserted, in the order of `writeEventRow`. */
export const EVENT_COLUMNS = [
  'organization_id',
  'project_id',
  'key_id',
  'event_id',
  'grouping_hash',
  'type',
  'level',
  'platform',
  'occurred_at',
  'received_at',
  'title',
  'culprit',
  'message',
  'metadata',
  'logger',
  'release',
  'dist',
  'environment',
  'transaction',
  'trace_id',
  'user_id',
  'user_email',
  'user_username',
  'user_ip',
  'sdk_name',
  'sdk_version',
  'tags',
  'payload',
  ...SEARCH_COLUMNS,
] as const;

/** What an event does not have is empty, times are milliseconds since the epoch. */
export function writeEventRow(row: RowBinaryWriter, event: DigestedEvent, columns: SearchColumns): void {
  row.int64(event.organizationId);
  row.int64(event.projectId);
  row.int64(event.keyId);
  row.fixedString(event.eventId, 32);
  row.fixedString(event.groupingHash, 32);
  row.string(event.type);
  row.string(event.level);
  row.string(event.platform);
  row.int64(Math.trunc(event.occurredAt));
  row.int64(Math.trunc(event.receivedAt));
  row.string(event.title);
  row.string(event.culprit);
  row.string(event.message);
  row.string(JSON.stringify(event.metadata));
  row.string(event.logger ?? '');
  row.string(event.release ?? '');
  row.string(event.dist ?? '');
  row.string(event.environment ?? '');
  row.string(event.transaction ?? '');
  row.string(event.traceId ?? '');
  row.string(event.user.id ?? '');
  row.string(event.user.email ?? '');
  row.string(event.user.username ?? '');
  row.string(event.user.ip ?? '');
  row.string(event.sdk.name);
  row.string(event.sdk.version);
  const tags = new Map(event.tags);
  row.strings(tags.size === event.tags.length ? event.tags : [...tags]);
  row.string(event.hasBody ? JSON.stringify(event.payload) : NO_BODY);
  writeSearchColumns(row, columns);
}

/** What the column of the payload holds when spike protection left the body out. */
export const NO_BODY = '';

/** The columns of a summary, as they are selected. */
export const SUMMARY_COLUMNS = `
  event_id, project_id, grouping_hash, title, message, culprit, level, platform,
  toUnixTimestamp64Milli(occurred_at) AS occurred_ms, toUnixTimestamp64Milli(received_at) AS received_ms,
  release, environment, transaction, user_id, user_email, user_username, user_ip,
  mapKeys(tags) AS tag_keys, mapValues(tags) AS tag_values`;

/** The columns of a whole event; what a body that was left out is made of anew is among them. */
export const STORED_COLUMNS = `${SUMMARY_COLUMNS},
  type, metadata, logger, dist, trace_id, sdk_name, sdk_version, payload`;

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

export type StoredRow = SummaryRow & {
  type: EventType;
  metadata: string;
  logger: string;
  dist: string;
  trace_id: string;
  sdk_name: string;
  sdk_version: string;
  payload: string;
};

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

export function toStored(row: StoredRow): StoredEvent {
  const summary = toSummary(row);
  const isBodySampled = row.payload === NO_BODY;
  const payload = isBodySampled
    ? payloadOfColumns(row, summary)
    : (JSON.parse(row.payload) as NormalizedEvent);
  return { ...summary, isBodySampled, payload };
}

/** What can be said of an event whose body was not kept. */
function payloadOfColumns(row: StoredRow, event: EventSummary): NormalizedEvent {
  const metadata = JSON.parse(row.metadata) as EventMetadata;
  const { id, email, username, ip } = event.user;
  return {
    event_id: event.eventId,
    type: row.type,
    level: event.level,
    platform: event.platform,
    timestamp: event.occurredAt / 1000,
    received: event.receivedAt / 1000,
    logger: row.logger || null,
    culprit: event.culprit || null,
    transaction: event.transaction,
    release: event.release,
    dist: row.dist || null,
    environment: event.environment,
    ...(metadata.type !== undefined
      ? { exception: { values: [{ type: metadata.type, value: metadata.value ?? null }] } }
      : event.message && { logentry: { formatted: event.message } }),
    ...((id ?? email ?? username ?? ip) !== null && { user: { id, email, username, ip_address: ip } }),
    ...(row.trace_id && { contexts: { trace: { trace_id: row.trace_id } } }),
    tags: event.tags,
    sdk: { name: row.sdk_name || null, version: row.sdk_version || null },
  };
}
