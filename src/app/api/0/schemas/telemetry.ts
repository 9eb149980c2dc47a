import { z } from 'zod';
import { SUMMARY_USER } from './event.ts';
import { TAG } from './parts.ts';

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
