/**
 * What SDKs send besides error events, as it is stored: after validation, clock correction and scrubbing.
 * Source: https://develop.sentry.dev/sdk/telemetry/ and relay-event-schema.
 */

/** Where a row belongs and when the edge took it. */
export type TelemetryOrigin = {
  organizationId: number;
  projectId: number;
  keyId: number;
  /** Milliseconds since the epoch, by the edge's clock. */
  receivedAt: number;
};

/** Values of attributes, tags and measurements as they are stored; anything else was turned into JSON text. */
export type AttributeValue = string | number | boolean;
export type Attributes = Readonly<Record<string, AttributeValue>>;

/** A transaction event: one segment with its spans, which are stored as rows of their own. */
export type DigestedTransaction = TelemetryOrigin & {
  /** 32 lower-case hex digits. */
  eventId: string;
  traceId: string;
  /** 16 lower-case hex digits: the root span. */
  spanId: string;
  /** Name of the transaction; `<unlabeled transaction>` when the SDK gave none. */
  name: string;
  op: string;
  /** As the SDK says: `ok`, `internal_error` …; `unknown` without one. */
  status: string;
  platform: string;
  /** Microseconds since the epoch, after the clock rules. */
  startedAtUs: number;
  endedAtUs: number;
  release: string | null;
  dist: string | null;
  environment: string | null;
  user: { id: string | null; email: string | null; username: string | null; ip: string | null };
  sdk: { name: string; version: string };
  tags: readonly (readonly [string, string])[];
  /** Name → value in the unit that `measurementUnits` says. */
  measurements: Readonly<Record<string, number>>;
  spanCount: number;
  profileId: string | null;
  replayId: string | null;
  /** The normalized event without its spans. */
  payload: Readonly<Record<string, unknown>>;
};

/** One operation of a trace, whichever way it came. */
export type DigestedSpan = TelemetryOrigin & {
  /** 32 lower-case hex digits. */
  traceId: string;
  /** 16 lower-case hex digits. */
  spanId: string;
  parentSpanId: string | null;
  /** The span at the root of this service's part of the trace; null when unknown. */
  segmentId: string | null;
  isSegment: boolean;
  /** Event id of the transaction that it came in; null for spans that came by themselves. */
  transactionId: string | null;
  source: 'transaction' | 'span' | 'span_v2' | 'otlp';
  op: string;
  /** What it did, for people: a query, an address, a function. */
  name: string;
  /** Name of the segment; empty when unknown. */
  segmentName: string;
  status: string;
  /** `server`, `client`, `producer`, `consumer`, `internal`; empty when unknown. */
  kind: string;
  origin: string;
  /** Microseconds since the epoch. */
  startedAtUs: number;
  durationUs: number;
  release: string | null;
  environment: string | null;
  platform: string;
  sdkName: string;
  userId: string | null;
  attributes: Attributes;
  /** Links to other spans, as sent; null when there are none. */
  links: readonly unknown[] | null;
};

export type DigestedLog = TelemetryOrigin & {
  /** Made from where the record lay in the spool: the same log digested twice has the same. 32 hex digits. */
  rowId: string;
  /** Microseconds since the epoch. */
  occurredAtUs: number;
  traceId: string | null;
  spanId: string | null;
  level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';
  /** As in OpenTelemetry, 1 to 24. */
  severityNumber: number;
  body: string;
  source: 'sentry' | 'otlp';
  release: string | null;
  environment: string | null;
  sdkName: string;
  attributes: Attributes;
};

export type DigestedMetric = TelemetryOrigin & {
  rowId: string;
  /** Microseconds since the epoch. */
  occurredAtUs: number;
  name: string;
  type: 'counter' | 'gauge' | 'distribution' | 'set';
  /** `none` without one. */
  unit: string;
  value: number;
  traceId: string | null;
  spanId: string | null;
  source: 'trace_metric' | 'statsd' | 'otlp';
  release: string | null;
  environment: string | null;
  attributes: Attributes;
};

/**
 * One update of a session, or one bucket of sessions that an SDK aggregated. A session's last update (highest `seq`)
 * counts; quantities of aggregates add up.
 */
export type DigestedSession = TelemetryOrigin & {
  rowId: string;
  kind: 'session' | 'aggregate';
  /** 32 lower-case hex digits; null for aggregates. */
  sessionId: string | null;
  /** Hash of the distinct id (16 hex digits); null when the SDK named nobody. */
  distinctIdHash: string | null;
  /** Grows with every update of a session. */
  seq: number;
  isInit: boolean;
  /** Milliseconds since the epoch. */
  startedAt: number;
  occurredAt: number;
  durationSeconds: number | null;
  /** For aggregates the bucket counts below say it; then `ok`. */
  status: 'ok' | 'exited' | 'errored' | 'crashed' | 'abnormal' | 'unhandled';
  errors: number;
  /** Sessions that this row stands for, by how they ended; 1 in exactly one of them for a single session. */
  exited: number;
  errored: number;
  crashed: number;
  abnormal: number;
  unhandled: number;
  release: string;
  environment: string | null;
  abnormalMechanism: string | null;
  userAgent: string | null;
};

export type DigestedCheckIn = TelemetryOrigin & {
  /** 32 lower-case hex digits; several updates of one check-in share it. */
  checkInId: string;
  monitorSlug: string;
  /** The last three are found out here; `unknown` while check-ins could not be received. */
  status: 'in_progress' | 'ok' | 'error' | 'missed' | 'timeout' | 'unknown';
  environment: string;
  /** Milliseconds since the epoch. */
  occurredAt: number;
  durationMs: number | null;
  traceId: string | null;
  /** Schedule, margins, time zone, as sent; null when the check-in brings none. */
  monitorConfig: Readonly<Record<string, unknown>> | null;
};

export type DigestedFeedback = TelemetryOrigin & {
  /** 32 lower-case hex digits. */
  feedbackId: string;
  source: 'feedback' | 'user_report';
  /** Milliseconds since the epoch. */
  occurredAt: number;
  message: string;
  name: string | null;
  email: string | null;
  url: string | null;
  /** The error it is about. */
  associatedEventId: string | null;
  replayId: string | null;
  traceId: string | null;
  release: string | null;
  environment: string | null;
  platform: string;
  payload: Readonly<Record<string, unknown>>;
};

export type DigestedAttachment = TelemetryOrigin & {
  /** 32 lower-case hex digits, made from where it lay in the spool. */
  attachmentId: string;
  eventId: string;
  /** After scrubbing. */
  name: string;
  contentType: string;
  /** `event.attachment`, `event.minidump`, `event.view_hierarchy` … */
  type: string;
  bytes: number;
  /** Where the content lies. */
  blobKey: string;
};

export type DigestedReplay = TelemetryOrigin & {
  /** 32 lower-case hex digits. */
  replayId: string;
  segmentId: number;
  /** Milliseconds since the epoch. */
  startedAt: number | null;
  occurredAt: number;
  replayType: string;
  urls: readonly string[];
  errorIds: readonly string[];
  traceIds: readonly string[];
  release: string | null;
  environment: string | null;
  platform: string;
  userId: string | null;
  userEmail: string | null;
  userUsername: string | null;
  userIp: string | null;
  browserName: string | null;
  browserVersion: string | null;
  osName: string | null;
  osVersion: string | null;
  payload: Readonly<Record<string, unknown>>;
};

export type DigestedReplaySegment = TelemetryOrigin & {
  replayId: string;
  segmentId: number;
  kind: 'recording' | 'video';
  /** As sent, compressed or not. */
  bytes: number;
  blobKey: string;
  /** Clicks that led to nothing, and those that were repeated in anger; 0 where the recording was not searched. */
  deadClicks: number;
  rageClicks: number;
};

export type DigestedProfile = TelemetryOrigin & {
  /** 32 lower-case hex digits: of the profile, or of the chunk. */
  profileId: string;
  /** null for transaction profiles. */
  profilerId: string | null;
  kind: 'profile' | 'profile_chunk';
  platform: string;
  /** Milliseconds since the epoch. */
  occurredAt: number;
  durationMs: number | null;
  transactionName: string | null;
  traceId: string | null;
  release: string | null;
  environment: string | null;
  bytes: number;
  blobKey: string;
};

/** Rows for the analytic store, by table. */
export type TelemetryRows = {
  transactions: DigestedTransaction[];
  spans: DigestedSpan[];
  logs: DigestedLog[];
  metrics: DigestedMetric[];
  sessions: DigestedSession[];
  checkIns: DigestedCheckIn[];
  feedback: DigestedFeedback[];
  attachments: DigestedAttachment[];
  replays: DigestedReplay[];
  replaySegments: DigestedReplaySegment[];
  profiles: DigestedProfile[];
};

export const TELEMETRY_KINDS = [
  'transactions',
  'spans',
  'logs',
  'metrics',
  'sessions',
  'checkIns',
  'feedback',
  'attachments',
  'replays',
  'replaySegments',
  'profiles',
] as const satisfies readonly (keyof TelemetryRows)[];
export type TelemetryKind = (typeof TELEMETRY_KINDS)[number];
