import { z } from 'zod';
import { SUMMARY_USER } from '#app/api/0/shapes/event.ts';
import { isoOfMs, isoOfUs, secondsOfUs } from '#app/api/0/shapes/moments.ts';
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

const ATTRIBUTES = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

export const TRANSACTION = z
  .object({
    id: z.string(),
    eventID: z.string(),
    projectID: z.string(),
    type: z.literal('transaction'),
    title: z.string(),
    transaction: z.string(),
    op: z.string(),
    status: z.string(),
    platform: z.string(),
    traceId: z.string(),
    spanId: z.string(),
    /** Seconds since the epoch. */
    startTimestamp: z.number(),
    endTimestamp: z.number(),
    dateCreated: z.string(),
    dateReceived: z.string(),
    release: z.string().nullable(),
    dist: z.string().nullable(),
    environment: z.string().nullable(),
    user: SUMMARY_USER.nullable(),
    sdk: z.object({ name: z.string(), version: z.string() }),
    tags: z.array(TAG),
    measurements: z.record(z.string(), z.number()),
    spanCount: z.number(),
    profileId: z.string().nullable(),
    replayId: z.string().nullable(),
  })
  .meta({ id: 'Transaction' });

export const SPAN = z
  .object({
    projectID: z.string(),
    traceId: z.string(),
    spanId: z.string(),
    parentSpanId: z.string().nullable(),
    segmentId: z.string().nullable(),
    isSegment: z.boolean(),
    transactionId: z.string().nullable(),
    source: z.enum(['transaction', 'span', 'span_v2', 'otlp']),
    op: z.string(),
    description: z.string(),
    transaction: z.string(),
    status: z.string(),
    kind: z.string(),
    origin: z.string(),
    /** Seconds since the epoch. */
    startTimestamp: z.number(),
    endTimestamp: z.number(),
    durationMs: z.number(),
    release: z.string().nullable(),
    environment: z.string().nullable(),
    platform: z.string(),
    sdkName: z.string(),
    userId: z.string().nullable(),
    attributes: ATTRIBUTES,
    links: z.array(z.unknown()).nullable(),
  })
  .meta({ id: 'Span' });

export const LOG = z
  .object({
    id: z.string(),
    projectID: z.string(),
    timestamp: z.string(),
    dateReceived: z.string(),
    level: z.string(),
    severityNumber: z.number(),
    message: z.string(),
    traceId: z.string().nullable(),
    spanId: z.string().nullable(),
    source: z.enum(['sentry', 'otlp']),
    release: z.string().nullable(),
    environment: z.string().nullable(),
    sdkName: z.string(),
    attributes: ATTRIBUTES,
  })
  .meta({ id: 'Log' });

export const METRIC = z
  .object({
    id: z.string(),
    projectID: z.string(),
    timestamp: z.string(),
    dateReceived: z.string(),
    name: z.string(),
    type: z.enum(['counter', 'gauge', 'distribution', 'set']),
    unit: z.string(),
    value: z.number(),
    traceId: z.string().nullable(),
    spanId: z.string().nullable(),
    source: z.enum(['trace_metric', 'statsd']),
    release: z.string().nullable(),
    environment: z.string().nullable(),
    attributes: ATTRIBUTES,
  })
  .meta({ id: 'Metric' });

/** One update of a session, or a bucket of aggregated ones. */
export const SESSION = z
  .object({
    id: z.string(),
    projectID: z.string(),
    kind: z.enum(['session', 'aggregate']),
    sid: z.string().nullable(),
    seq: z.number(),
    init: z.boolean(),
    started: z.string(),
    timestamp: z.string(),
    dateReceived: z.string(),
    /** Seconds. */
    duration: z.number().nullable(),
    status: z.enum(['ok', 'exited', 'errored', 'crashed', 'abnormal', 'unhandled']),
    errors: z.number(),
    sessions: z.object({
      exited: z.number(),
      errored: z.number(),
      crashed: z.number(),
      abnormal: z.number(),
      unhandled: z.number(),
    }),
    release: z.string(),
    environment: z.string().nullable(),
    abnormalMechanism: z.string().nullable(),
    userAgent: z.string().nullable(),
  })
  .meta({ id: 'Session' });

export const ATTACHMENT = z
  .object({
    id: z.string(),
    event_id: z.string(),
    projectID: z.string(),
    type: z.string(),
    name: z.string(),
    mimetype: z.string(),
    headers: z.object({ 'Content-Type': z.string() }),
    size: z.number(),
    sha1: z.null(),
    dateCreated: z.string(),
  })
  .meta({ id: 'Attachment' });

export const PROFILE = z
  .object({
    id: z.string(),
    projectID: z.string(),
    profilerId: z.string().nullable(),
    kind: z.enum(['profile', 'profile_chunk']),
    platform: z.string(),
    timestamp: z.string(),
    dateReceived: z.string(),
    durationMs: z.number().nullable(),
    transaction: z.string().nullable(),
    traceId: z.string().nullable(),
    release: z.string().nullable(),
    environment: z.string().nullable(),
    size: z.number(),
  })
  .meta({ id: 'Profile' });

export const REPLAY_SEGMENT = z
  .object({
    replayId: z.string(),
    segmentId: z.number(),
    projectId: z.string(),
    kind: z.enum(['recording', 'video']),
    size: z.number(),
    dateAdded: z.string(),
  })
  .meta({ id: 'ReplaySegment' });

export const serializeTransaction = (row: DigestedTransaction) => ({
  id: row.eventId,
  eventID: row.eventId,
  projectID: String(row.projectId),
  type: 'transaction' as const,
  title: row.name,
  transaction: row.name,
  op: row.op,
  status: row.status,
  platform: row.platform,
  traceId: row.traceId,
  spanId: row.spanId,
  startTimestamp: secondsOfUs(row.startedAtUs),
  endTimestamp: secondsOfUs(row.endedAtUs),
  dateCreated: isoOfUs(row.endedAtUs),
  dateReceived: isoOfMs(row.receivedAt),
  release: row.release,
  dist: row.dist,
  environment: row.environment,
  user: Object.values(row.user).some((value) => value !== null)
    ? { id: row.user.id, email: row.user.email, username: row.user.username, ip_address: row.user.ip }
    : null,
  sdk: row.sdk,
  tags: row.tags.map(([key, value]) => ({ key, value })),
  measurements: row.measurements,
  spanCount: row.spanCount,
  profileId: row.profileId,
  replayId: row.replayId,
});

export const serializeSpan = (row: DigestedSpan) => ({
  projectID: String(row.projectId),
  traceId: row.traceId,
  spanId: row.spanId,
  parentSpanId: row.parentSpanId,
  segmentId: row.segmentId,
  isSegment: row.isSegment,
  transactionId: row.transactionId,
  source: row.source,
  op: row.op,
  description: row.name,
  transaction: row.segmentName,
  status: row.status,
  kind: row.kind,
  origin: row.origin,
  startTimestamp: secondsOfUs(row.startedAtUs),
  endTimestamp: secondsOfUs(row.startedAtUs + row.durationUs),
  durationMs: row.durationUs / 1_000,
  release: row.release,
  environment: row.environment,
  platform: row.platform,
  sdkName: row.sdkName,
  userId: row.userId,
  attributes: row.attributes,
  links: row.links,
});

export const serializeLog = (row: DigestedLog) => ({
  id: row.rowId,
  projectID: String(row.projectId),
  timestamp: isoOfUs(row.occurredAtUs),
  dateReceived: isoOfMs(row.receivedAt),
  level: row.level,
  severityNumber: row.severityNumber,
  message: row.body,
  traceId: row.traceId,
  spanId: row.spanId,
  source: row.source,
  release: row.release,
  environment: row.environment,
  sdkName: row.sdkName,
  attributes: row.attributes,
});

export const serializeMetric = (row: DigestedMetric) => ({
  id: row.rowId,
  projectID: String(row.projectId),
  timestamp: isoOfUs(row.occurredAtUs),
  dateReceived: isoOfMs(row.receivedAt),
  name: row.name,
  type: row.type,
  unit: row.unit,
  value: row.value,
  traceId: row.traceId,
  spanId: row.spanId,
  source: row.source,
  release: row.release,
  environment: row.environment,
  attributes: row.attributes,
});

/** One update of a session, or a bucket of aggregated ones. */
export const serializeSession = (row: DigestedSession) => ({
  id: row.rowId,
  projectID: String(row.projectId),
  kind: row.kind,
  sid: row.sessionId,
  seq: row.seq,
  init: row.isInit,
  started: isoOfMs(row.startedAt),
  timestamp: isoOfMs(row.occurredAt),
  dateReceived: isoOfMs(row.receivedAt),
  duration: row.durationSeconds,
  status: row.status,
  errors: row.errors,
  sessions: {
    exited: row.exited,
    errored: row.errored,
    crashed: row.crashed,
    abnormal: row.abnormal,
    unhandled: row.unhandled,
  },
  release: row.release,
  environment: row.environment,
  abnormalMechanism: row.abnormalMechanism,
  userAgent: row.userAgent,
});

/** Source: https://github.com/getsentry/sentry/blob/master/src/sentry/api/serializers/models/eventattachment.py */
export const serializeAttachment = (row: DigestedAttachment) => ({
  id: row.attachmentId,
  event_id: row.eventId,
  projectID: String(row.projectId),
  type: row.type,
  name: row.name,
  mimetype: row.contentType,
  headers: { 'Content-Type': row.contentType },
  size: row.bytes,
  sha1: null,
  dateCreated: isoOfMs(row.receivedAt),
});

export const serializeReplaySegment = (row: DigestedReplaySegment) => ({
  replayId: row.replayId,
  segmentId: row.segmentId,
  projectId: String(row.projectId),
  kind: row.kind,
  size: row.bytes,
  dateAdded: isoOfMs(row.receivedAt),
});

export const serializeProfile = (row: DigestedProfile) => ({
  id: row.profileId,
  projectID: String(row.projectId),
  profilerId: row.profilerId,
  kind: row.kind,
  platform: row.platform,
  timestamp: isoOfMs(row.occurredAt),
  dateReceived: isoOfMs(row.receivedAt),
  durationMs: row.durationMs,
  transaction: row.transactionName,
  traceId: row.traceId,
  release: row.release,
  environment: row.environment,
  size: row.bytes,
});
