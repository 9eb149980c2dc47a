import { z } from 'zod';
import { each, idOf, isoMs, isoUs, NULL, shapeOf } from '#app/api/0/shape.ts';
import { SUMMARY_USER, serializeSummaryUser } from '#app/api/0/shapes/event.ts';
import { secondsOfUs } from '#app/api/0/shapes/moments.ts';
import { TAG } from '#app/api/0/shapes/parts.ts';
import type {
  DigestedAttachment,
  DigestedLog,
  DigestedMetric,
  DigestedProfile,
  DigestedReplaySegment,
  DigestedSession,
  DigestedSpan,
  DigestedTransaction,
} from '#protocol/telemetry.ts';

const TEXT = z.string();
const TEXT_OR_NULL = z.string().nullable();
const ATTRIBUTES = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

export const [TRANSACTION, serializeTransaction] = shapeOf<DigestedTransaction>()(
  {
    ...each([TEXT, 'eventId'], 'id', 'eventID'),
    projectID: idOf('projectId'),
    type: [z.literal('transaction'), () => 'transaction' as const],
    ...each([TEXT, 'name'], 'title', 'transaction'),
    ...each(TEXT, 'op', 'status', 'platform', 'traceId', 'spanId'),
    /** Seconds since the epoch. */
    startTimestamp: [z.number(), (row) => secondsOfUs(row.startedAtUs)],
    endTimestamp: [z.number(), (row) => secondsOfUs(row.endedAtUs)],
    dateCreated: isoUs('endedAtUs'),
    dateReceived: isoMs('receivedAt'),
    ...each(TEXT_OR_NULL, 'release', 'dist', 'environment'),
    user: [
      SUMMARY_USER.nullable(),
      ({ user }) => (Object.values(user).some((value) => value !== null) ? serializeSummaryUser(user) : null),
    ],
    sdk: z.object({ name: z.string(), version: z.string() }),
    tags: [z.array(TAG), (row) => row.tags.map(([key, value]) => ({ key, value }))],
    measurements: z.record(z.string(), z.number()),
    spanCount: z.number(),
    ...each(TEXT_OR_NULL, 'profileId', 'replayId'),
  },
  'Transaction',
);

export const [SPAN, serializeSpan] = shapeOf<DigestedSpan>()(
  {
    projectID: idOf('projectId'),
    ...each(TEXT, 'traceId', 'spanId'),
    ...each(TEXT_OR_NULL, 'parentSpanId', 'segmentId'),
    isSegment: z.boolean(),
    transactionId: TEXT_OR_NULL,
    source: z.enum(['transaction', 'span', 'span_v2', 'otlp']),
    op: TEXT,
    description: [TEXT, 'name'],
    transaction: [TEXT, 'segmentName'],
    ...each(TEXT, 'status', 'kind', 'origin'),
    /** Seconds since the epoch. */
    startTimestamp: [z.number(), (row) => secondsOfUs(row.startedAtUs)],
    endTimestamp: [z.number(), (row) => secondsOfUs(row.startedAtUs + row.durationUs)],
    durationMs: [z.number(), (row) => row.durationUs / 1_000],
    ...each(TEXT_OR_NULL, 'release', 'environment'),
    ...each(TEXT, 'platform', 'sdkName'),
    userId: TEXT_OR_NULL,
    attributes: ATTRIBUTES,
    links: z.array(z.unknown()).nullable(),
  },
  'Span',
);

export const [LOG, serializeLog] = shapeOf<DigestedLog>()(
  {
    id: [TEXT, 'rowId'],
    projectID: idOf('projectId'),
    timestamp: isoUs('occurredAtUs'),
    dateReceived: isoMs('receivedAt'),
    level: TEXT,
    severityNumber: z.number(),
    message: [TEXT, 'body'],
    ...each(TEXT_OR_NULL, 'traceId', 'spanId'),
    source: z.enum(['sentry', 'otlp']),
    ...each(TEXT_OR_NULL, 'release', 'environment'),
    sdkName: TEXT,
    attributes: ATTRIBUTES,
  },
  'Log',
);

export const [METRIC, serializeMetric] = shapeOf<DigestedMetric>()(
  {
    id: [TEXT, 'rowId'],
    projectID: idOf('projectId'),
    timestamp: isoUs('occurredAtUs'),
    dateReceived: isoMs('receivedAt'),
    name: TEXT,
    type: z.enum(['counter', 'gauge', 'distribution', 'set']),
    unit: TEXT,
    value: z.number(),
    ...each(TEXT_OR_NULL, 'traceId', 'spanId'),
    source: z.enum(['trace_metric', 'statsd', 'otlp']),
    ...each(TEXT_OR_NULL, 'release', 'environment'),
    attributes: ATTRIBUTES,
  },
  'Metric',
);

const [SESSION_COUNTS, serializeSessionCounts] = shapeOf<DigestedSession>()(
  each(z.number(), 'exited', 'errored', 'crashed', 'abnormal', 'unhandled'),
);

/** One update of a session, or a bucket of aggregated ones. */
export const [SESSION, serializeSession] = shapeOf<DigestedSession>()(
  {
    id: [TEXT, 'rowId'],
    projectID: idOf('projectId'),
    kind: z.enum(['session', 'aggregate']),
    sid: [TEXT_OR_NULL, 'sessionId'],
    seq: z.number(),
    init: [z.boolean(), 'isInit'],
    started: isoMs('startedAt'),
    timestamp: isoMs('occurredAt'),
    dateReceived: isoMs('receivedAt'),
    duration: [z.number().nullable(), 'durationSeconds'],
    status: z.enum(['ok', 'exited', 'errored', 'crashed', 'abnormal', 'unhandled']),
    errors: z.number(),
    sessions: [SESSION_COUNTS, serializeSessionCounts],
    release: TEXT,
    ...each(TEXT_OR_NULL, 'environment', 'abnormalMechanism', 'userAgent'),
  },
  'Session',
);

/** Source: https://github.com/getsentry/sentry/blob/master/src/sentry/api/serializers/models/eventattachment.py */
export const [ATTACHMENT, serializeAttachment] = shapeOf<DigestedAttachment>()(
  {
    id: [TEXT, 'attachmentId'],
    event_id: [TEXT, 'eventId'],
    projectID: idOf('projectId'),
    ...each(TEXT, 'type', 'name'),
    mimetype: [TEXT, 'contentType'],
    headers: [z.object({ 'Content-Type': TEXT }), (row) => ({ 'Content-Type': row.contentType })],
    size: [z.number(), 'bytes'],
    sha1: NULL,
    dateCreated: isoMs('receivedAt'),
  },
  'Attachment',
);

export const [PROFILE, serializeProfile] = shapeOf<DigestedProfile>()(
  {
    id: [TEXT, 'profileId'],
    projectID: idOf('projectId'),
    profilerId: TEXT_OR_NULL,
    kind: z.enum(['profile', 'profile_chunk']),
    platform: TEXT,
    timestamp: isoMs('occurredAt'),
    dateReceived: isoMs('receivedAt'),
    durationMs: z.number().nullable(),
    transaction: [TEXT_OR_NULL, 'transactionName'],
    ...each(TEXT_OR_NULL, 'traceId', 'release', 'environment'),
    size: [z.number(), 'bytes'],
  },
  'Profile',
);

export const [REPLAY_SEGMENT, serializeReplaySegment] = shapeOf<DigestedReplaySegment>()(
  {
    replayId: TEXT,
    segmentId: z.number(),
    projectId: idOf('projectId'),
    kind: z.enum(['recording', 'video']),
    size: [z.number(), 'bytes'],
    dateAdded: isoMs('receivedAt'),
  },
  'ReplaySegment',
);
