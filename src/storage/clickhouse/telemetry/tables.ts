import type {
  DigestedAttachment,
  DigestedCheckIn,
  DigestedFeedback,
  DigestedLog,
  DigestedMetric,
  DigestedProfile,
  DigestedReplay,
  DigestedReplaySegment,
  DigestedSession,
  DigestedSpan,
  DigestedTransaction,
  TelemetryKind,
  TelemetryRows,
} from '#protocol/telemetry.ts';
import {
  attributes,
  columnNames,
  columns,
  count,
  flag,
  float,
  json,
  micros,
  millis,
  nullableFloat,
  nullableJson,
  nullableMillis,
  nullableText,
  numbers,
  pairs,
  record,
  text,
  texts,
  user,
} from './columns.ts';
import { defineTable, type TelemetryTable } from './telemetry-table.ts';

export const attachments = defineTable<DigestedAttachment>({
  table: 'attachments',
  time: { column: 'received_at', unit: 'ms' },
  rowId: 'attachment_id',
  find: { by: 'attachment_id' },
  filters: columnNames('eventId', 'name'),
  columns: {
    ...columns(text, 'attachmentId', 'eventId', 'name', 'contentType', 'blobKey'),
    type: text('type'),
    bytes: count('bytes'),
  },
});

/** Updates of check-ins. */
export const checkIns = defineTable<DigestedCheckIn>({
  table: 'check_ins',
  time: { column: 'occurred_at', unit: 'ms' },
  rowId: "concat(check_in_id, ':', status)",
  // What ended it says how it ended, whatever arrived after.
  find: { by: 'check_in_id', first: "status != 'in_progress' DESC, occurred_at DESC" },
  filters: columnNames('traceId', 'monitorSlug', 'environment'),
  columns: {
    ...columns(text, 'checkInId', 'monitorSlug', 'environment'),
    status: text('status'),
    monitorConfig: nullableJson('monitor_config'),
    traceId: nullableText('trace_id'),
    durationMs: nullableFloat('duration_ms'),
    occurredAt: millis('occurred_at'),
  },
});

export const feedback = defineTable<DigestedFeedback>({
  table: 'feedback',
  time: { column: 'occurred_at', unit: 'ms' },
  rowId: 'feedback_id',
  find: { by: 'feedback_id' },
  filters: columnNames('traceId', 'replayId', 'associatedEventId', 'release', 'environment'),
  columns: {
    ...columns(text, 'feedbackId', 'message', 'platform'),
    source: text('source'),
    ...columns(
      nullableText,
      'name',
      'email',
      'url',
      'associatedEventId',
      'replayId',
      'traceId',
      'release',
      'environment',
    ),
    payload: json('payload'),
    occurredAt: millis('occurred_at'),
  },
});

export const logs = defineTable<DigestedLog>({
  table: 'logs',
  time: { column: 'occurred_at', unit: 'us' },
  rowId: 'row_id',
  find: { by: 'row_id' },
  filters: columnNames('traceId', 'level', 'release', 'environment'),
  text: 'body',
  columns: {
    ...columns(text, 'rowId', 'body', 'sdkName'),
    level: text('level'),
    source: text('source'),
    ...columns(nullableText, 'traceId', 'spanId', 'release', 'environment'),
    attributes: attributes('attributes'),
    severityNumber: count('severity_number'),
    occurredAtUs: micros('occurred_at'),
  },
});

export const metrics = defineTable<DigestedMetric>({
  table: 'metrics',
  time: { column: 'occurred_at', unit: 'us' },
  rowId: 'row_id',
  find: { by: 'row_id' },
  filters: columnNames('traceId', 'name', 'release', 'environment'),
  columns: {
    ...columns(text, 'rowId', 'name', 'unit'),
    type: text('type'),
    source: text('source'),
    ...columns(nullableText, 'traceId', 'spanId', 'release', 'environment'),
    attributes: attributes('attributes'),
    value: float('value'),
    occurredAtUs: micros('occurred_at'),
  },
});

export const profiles = defineTable<DigestedProfile>({
  table: 'profiles',
  time: { column: 'occurred_at', unit: 'ms' },
  rowId: 'profile_id',
  find: { by: 'profile_id' },
  text: 'transaction_name',
  filters: {
    traceId: 'trace_id',
    profilerId: 'profiler_id',
    name: 'transaction_name',
    release: 'release',
    environment: 'environment',
  },
  columns: {
    ...columns(text, 'profileId', 'platform', 'blobKey'),
    kind: text('kind'),
    ...columns(nullableText, 'profilerId', 'transactionName', 'traceId', 'release', 'environment'),
    bytes: count('bytes'),
    durationMs: nullableFloat('duration_ms'),
    occurredAt: millis('occurred_at'),
  },
});

/** What each segment of a replay says. */
export const replays = defineTable<DigestedReplay>({
  table: 'replays',
  time: { column: 'occurred_at', unit: 'ms' },
  rowId: "concat(replay_id, ':', leftPad(toString(segment_id), 10, '0'))",
  find: { by: 'replay_id', first: 'segment_id DESC' },
  filters: columnNames('replayId', 'release', 'environment'),
  columns: {
    ...columns(text, 'replayId', 'replayType', 'platform'),
    ...columns(texts, 'urls', 'errorIds', 'traceIds'),
    ...columns(nullableText, 'release', 'environment', 'userId', 'userEmail', 'userUsername', 'userIp'),
    ...columns(nullableText, 'browserName', 'browserVersion', 'osName', 'osVersion'),
    payload: json('payload'),
    occurredAt: millis('occurred_at'),
    startedAt: nullableMillis('started_at'),
    segmentId: count('segment_id'),
  },
});

/** Where the recording of each segment lies. */
export const replaySegments = defineTable<DigestedReplaySegment>({
  table: 'replay_segments',
  time: { column: 'received_at', unit: 'ms' },
  rowId: "concat(replay_id, ':', leftPad(toString(segment_id), 10, '0'), ':', kind)",
  find: { by: 'replay_id', first: 'segment_id DESC' },
  filters: columnNames('replayId'),
  columns: {
    ...columns(text, 'replayId', 'blobKey'),
    kind: text('kind'),
    ...columns(count, 'segmentId', 'bytes', 'deadClicks', 'rageClicks'),
  },
});

export const sessions = defineTable<DigestedSession>({
  table: 'sessions',
  time: { column: 'started_at', unit: 'ms' },
  rowId: 'row_id',
  find: { by: 'session_id', first: 'seq DESC, occurred_at DESC' },
  filters: columnNames('release', 'environment'),
  columns: {
    ...columns(text, 'rowId', 'release'),
    kind: text('kind'),
    status: text('status'),
    ...columns(nullableText, 'sessionId', 'distinctIdHash', 'environment', 'abnormalMechanism', 'userAgent'),
    ...columns(count, 'seq', 'errors', 'exited', 'errored', 'crashed', 'abnormal', 'unhandled'),
    ...columns(millis, 'startedAt', 'occurredAt'),
    durationSeconds: nullableFloat('duration_seconds'),
    isInit: flag('is_init'),
  },
});

export const spans = defineTable<DigestedSpan>({
  table: 'spans',
  time: { column: 'started_at', unit: 'us' },
  rowId: 'concat(trace_id, span_id)',
  find: { by: 'span_id' },
  filters: columnNames('traceId', 'transactionId', 'name', 'release', 'environment'),
  columns: {
    ...columns(text, 'traceId', 'spanId', 'op', 'name', 'segmentName', 'origin', 'platform', 'sdkName'),
    source: text('source'),
    status: text('status'),
    kind: text('kind'),
    ...columns(
      nullableText,
      'parentSpanId',
      'segmentId',
      'transactionId',
      'release',
      'environment',
      'userId',
    ),
    links: nullableJson('links'),
    attributes: attributes('attributes'),
    durationUs: count('duration_us'),
    isSegment: flag('is_segment'),
    startedAtUs: micros('started_at'),
  },
});

export const transactions = defineTable<DigestedTransaction>({
  table: 'transactions',
  time: { column: 'started_at', unit: 'us' },
  rowId: 'event_id',
  find: { by: 'event_id' },
  filters: columnNames('traceId', 'eventId', 'replayId', 'name', 'release', 'environment'),
  text: 'name',
  columns: {
    ...columns(text, 'eventId', 'traceId', 'spanId', 'name', 'op', 'platform'),
    status: text('status'),
    ...columns(nullableText, 'release', 'dist', 'environment', 'profileId', 'replayId'),
    payload: json('payload'),
    spanCount: count('span_count'),
    measurements: numbers('measurements'),
    tags: pairs('tags'),
    startedAtUs: micros('started_at'),
    endedAtUs: micros('ended_at'),
    user: user,
    sdk: record({ name: text('sdk_name'), version: text('sdk_version') }),
  },
});

/** The table of every kind. */
export const TABLES: { readonly [Kind in TelemetryKind]: TelemetryTable<TelemetryRows[Kind][number]> } = {
  transactions,
  spans,
  logs,
  metrics,
  sessions,
  checkIns,
  feedback,
  attachments,
  replays,
  replaySegments,
  profiles,
};
