import type { DigestedEvent, EventMetadata, EventType, NormalizedEvent } from '#protocol/event.ts';
import type { EventSummary, SearchColumns, StoredEvent, WrittenEvent } from '#storage/ports/events.ts';
import type { RowBinaryWriter } from './row-binary.ts';
import { SEARCH_COLUMNS, writeSearchColumns } from './search/search-columns.ts';
import {
  type Cells,
  columns,
  count,
  millis,
  nullableText,
  pairs,
  record,
  text,
  user,
} from './telemetry/columns.ts';

type EventColumn = readonly [name: string, write: (row: RowBinaryWriter, event: DigestedEvent) => void];

/** The columns that are inserted. What an event does not have is empty, times are milliseconds since the epoch. */
const WRITTEN: readonly EventColumn[] = [
  ['organization_id', (row, event) => row.int64(event.organizationId)],
  ['project_id', (row, event) => row.int64(event.projectId)],
  ['key_id', (row, event) => row.int64(event.keyId)],
  ['event_id', (row, event) => row.fixedString(event.eventId, 32)],
  ['grouping_hash', (row, event) => row.fixedString(event.groupingHash, 32)],
  ['type', (row, event) => row.string(event.type)],
  ['level', (row, event) => row.string(event.level)],
  ['platform', (row, event) => row.string(event.platform)],
  ['occurred_at', (row, event) => row.int64(Math.trunc(event.occurredAt))],
  ['received_at', (row, event) => row.int64(Math.trunc(event.receivedAt))],
  ['title', (row, event) => row.string(event.title)],
  ['culprit', (row, event) => row.string(event.culprit)],
  ['message', (row, event) => row.string(event.message)],
  ['metadata', (row, event) => row.string(JSON.stringify(event.metadata))],
  ['logger', (row, event) => row.string(event.logger ?? '')],
  ['release', (row, event) => row.string(event.release ?? '')],
  ['dist', (row, event) => row.string(event.dist ?? '')],
  ['environment', (row, event) => row.string(event.environment ?? '')],
  ['transaction', (row, event) => row.string(event.transaction ?? '')],
  ['trace_id', (row, event) => row.string(event.traceId ?? '')],
  ['user_id', (row, event) => row.string(event.user.id ?? '')],
  ['user_email', (row, event) => row.string(event.user.email ?? '')],
  ['user_username', (row, event) => row.string(event.user.username ?? '')],
  ['user_ip', (row, event) => row.string(event.user.ip ?? '')],
  ['sdk_name', (row, event) => row.string(event.sdk.name)],
  ['sdk_version', (row, event) => row.string(event.sdk.version)],
  ['tags', writeTags],
];

export const EVENT_COLUMNS: readonly string[] = [
  ...WRITTEN.map(([name]) => name),
  'payload',
  ...SEARCH_COLUMNS,
];

/** Writes the values of `EVENT_COLUMNS`. Answers where the JSON of the payload lies, in bytes of all rows. */
export function writeEventRow(
  row: RowBinaryWriter,
  event: DigestedEvent,
  columns: SearchColumns,
): WrittenEvent['payload'] {
  for (const [, write] of WRITTEN) write(row, event);
  const bytes = row.string(event.hasBody ? JSON.stringify(event.payload) : NO_BODY);
  const to = row.length;
  writeSearchColumns(row, columns);
  return { from: to - bytes, to };
}

/** Where in a row the grouping hash lies: behind three numbers and the event id. */
export const GROUPING_HASH_OFFSET = 3 * 8 + 32;

function writeTags(row: RowBinaryWriter, event: DigestedEvent): void {
  const tags = new Map(event.tags);
  row.strings(tags.size === event.tags.length ? event.tags : [...tags]);
}

/** What the column of the payload holds when spike protection left the body out. */
export const NO_BODY = '';

const summary = record<EventSummary>({
  ...columns(text, 'eventId', 'groupingHash', 'title', 'message', 'culprit', 'platform'),
  ...columns(millis, 'occurredAt', 'receivedAt'),
  ...columns(nullableText, 'release', 'environment', 'transaction'),
  projectId: count('project_id'),
  level: text('level'),
  user,
  tags: pairs('tags'),
});

/** The columns of a summary, as they are selected. */
export const SUMMARY_COLUMNS = summary.select;

export const toSummary = summary.read;

const COLUMNS_OF_BODY = 'type, metadata, logger, dist, trace_id, sdk_name, sdk_version';

/** The columns of a whole event, including those that replace a body that was left out. */
export const STORED_COLUMNS = `${SUMMARY_COLUMNS}, ${COLUMNS_OF_BODY}, payload`;

/** As `STORED_COLUMNS`, without reading the payload. */
export const STORED_COLUMNS_WITHOUT_BODY = `${SUMMARY_COLUMNS}, ${COLUMNS_OF_BODY}, '${NO_BODY}' AS payload`;

export type StoredRow = Cells & {
  type: EventType;
  metadata: string;
  logger: string;
  dist: string;
  trace_id: string;
  sdk_name: string;
  sdk_version: string;
  payload: string;
};

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
