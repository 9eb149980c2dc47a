/**
 * The event payload of the SDK protocol, as it is stored: after normalization.
 * Source: https://develop.sentry.dev/sdk/foundations/transport/event-payloads/ and relay-event-schema.
 */

import { isMonitorIssueType, type MonitorEvidence, type MonitorIssueType } from './monitor-issue.ts';
import { isPerformanceIssueType, type Occurrence, type PerformanceIssueType } from './performance-issue.ts';

export const LEVELS = ['fatal', 'error', 'warning', 'info', 'debug'] as const;
export type Level = (typeof LEVELS)[number];

/** One call of a stack. */
/** How a frame of native code was found, from the surest to a guess. Source: `trust` of Sentry's frames. */
export const FRAME_TRUSTS = ['context', 'prewalked', 'cfi', 'cfi_scan', 'fp', 'scan', 'none'] as const;
export type FrameTrust = (typeof FRAME_TRUSTS)[number];

export type Frame = {
  function?: string | null;
  raw_function?: string | null;
  /** Package-like name: a Python module, a Java class, a JavaScript file without its extension. */
  module?: string | null;
  /** Shared library, jar or gem. */
  package?: string | null;
  filename?: string | null;
  abs_path?: string | null;
  /** 1-based; null when the SDK does not know it. */
  lineno?: number | null;
  /** 1-based; null when the SDK does not know it. */
  colno?: number | null;
  pre_context?: readonly (string | null)[] | null;
  context_line?: string | null;
  post_context?: readonly (string | null)[] | null;
  /** Whether the frame is the user's own code; null when neither the SDK nor a rule says. */
  in_app?: boolean | null;
  vars?: Readonly<Record<string, unknown>> | null;
  instruction_addr?: string | null;
  symbol_addr?: string | null;
  image_addr?: string | null;
  addr_mode?: string | null;
  /** null when whoever sent the frame does not say. */
  trust?: FrameTrust | null;
  platform?: string | null;
  lock?: unknown;
  data?: Readonly<Record<string, unknown>> | null;
};

export type Stacktrace = {
  /** Oldest call first, as sent. */
  frames: readonly Frame[];
  registers?: Readonly<Record<string, string>> | null;
  /** Half-open range of frames that the SDK left out. */
  frames_omitted?: readonly [number, number] | null;
};

export type Mechanism = {
  type?: string | null;
  handled?: boolean | null;
  synthetic?: boolean | null;
  description?: string | null;
  help_link?: string | null;
  source?: string | null;
  exception_id?: number | null;
  parent_id?: number | null;
  is_exception_group?: boolean | null;
  data?: Readonly<Record<string, unknown>> | null;
  meta?: Readonly<Record<string, unknown>> | null;
};

export type ExceptionValue = {
  type?: string | null;
  value?: string | null;
  module?: string | null;
  thread_id?: string | number | null;
  mechanism?: Mechanism | null;
  stacktrace?: Stacktrace | null;
  raw_stacktrace?: Stacktrace | null;
};

export type Thread = {
  id?: string | number | null;
  name?: string | null;
  crashed?: boolean | null;
  current?: boolean | null;
  main?: boolean | null;
  state?: string | null;
  stacktrace?: Stacktrace | null;
  /** As it was sent, where the frames are others now. */
  raw_stacktrace?: Stacktrace | null;
};

export type Breadcrumb = {
  /** Seconds since the Unix epoch. */
  timestamp?: number | null;
  type?: string | null;
  category?: string | null;
  level?: Level | null;
  message?: string | null;
  data?: Readonly<Record<string, unknown>> | null;
  event_id?: string | null;
};

export type LogEntry = {
  /** The template. */
  message?: string | null;
  /** The template with its parameters filled in. */
  formatted?: string | null;
  params?: readonly unknown[] | Readonly<Record<string, unknown>> | null;
};

/** The place in a template that an old SDK for a web framework sends with an error. */
export type TemplateInfo = {
  filename?: string | null;
  abs_path?: string | null;
  /** 1-based. */
  lineno?: number | null;
  pre_context?: readonly (string | null)[] | null;
  context_line?: string | null;
  post_context?: readonly (string | null)[] | null;
};

export type RequestInfo = {
  url?: string | null;
  method?: string | null;
  query_string?: readonly (readonly [string, string])[] | null;
  fragment?: string | null;
  cookies?: readonly (readonly [string, string])[] | null;
  headers?: readonly (readonly [string, string])[] | null;
  data?: unknown;
  env?: Readonly<Record<string, unknown>> | null;
  inferred_content_type?: string | null;
  api_target?: string | null;
};

export type UserInfo = {
  id?: string | null;
  email?: string | null;
  username?: string | null;
  name?: string | null;
  ip_address?: string | null;
  geo?: Readonly<Record<string, string>> | null;
  data?: Readonly<Record<string, unknown>> | null;
};

export type SdkInfo = {
  name?: string | null;
  version?: string | null;
  integrations?: readonly string[] | null;
  packages?: readonly { name?: string | null; version?: string | null }[] | null;
};

/** Why a value is missing or changed; shown on the event's page. */
export type ProcessingError = {
  /** For example `invalid_data`, `future_timestamp`, `past_timestamp`, `clock_drift`, `value_too_long`. */
  type: string;
  /** Dotted path of the field, for example `user.email`. */
  name: string;
  /** What is wrong with it, in words. */
  reason?: string;
  /** What was sent, shortened; absent when it was too large to keep. */
  value?: unknown;
};

/** What SDKs and browsers send: `error` has an exception, `default` only a message. */
export const SENT_EVENT_TYPES = [
  'error',
  'default',
  'csp',
  'hpkp',
  'expectct',
  'expectstaple',
  'nel',
] as const;
/** What an event is; those that are made here have the type of their issue. */
export type EventType =
  | (typeof SENT_EVENT_TYPES)[number]
  | typeof FEEDBACK_TYPE
  | PerformanceIssueType
  | MonitorIssueType;

/** What a person wrote: an event of its own issue. */
export const FEEDBACK_TYPE = 'feedback';

/** As Sentry's API has it: what was found rather than sent, and feedback, is `generic`. */
export const WIRE_EVENT_TYPES = [...SENT_EVENT_TYPES, 'generic'] as const;
export const wireTypeOf = (type: EventType): (typeof WIRE_EVENT_TYPES)[number] =>
  isPerformanceIssueType(type) || isMonitorIssueType(type) || type === FEEDBACK_TYPE ? 'generic' : type;

/** An event as stored: every field has its documented type or is absent. */
export type NormalizedEvent = {
  /** 32 lower-case hex digits. */
  event_id: string;
  type: EventType;
  level: Level;
  platform: string;
  /** Seconds since the Unix epoch, after the clock rules: when it happened. */
  timestamp: number;
  /** Seconds since the Unix epoch: when the edge took it. */
  received: number;
  logger?: string | null;
  /** Where it happened, as an old SDK put it in words. */
  culprit?: string | null;
  transaction?: string | null;
  server_name?: string | null;
  release?: string | null;
  dist?: string | null;
  environment?: string | null;
  logentry?: LogEntry | null;
  exception?: { values: readonly ExceptionValue[] } | null;
  /** A stack trace that belongs to no exception (for example of a message). */
  stacktrace?: Stacktrace | null;
  threads?: { values: readonly Thread[] } | null;
  template?: TemplateInfo | null;
  breadcrumbs?: { values: readonly Breadcrumb[] } | null;
  request?: RequestInfo | null;
  user?: UserInfo | null;
  contexts?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | null;
  tags?: readonly (readonly [string, string])[];
  extra?: Readonly<Record<string, unknown>> | null;
  modules?: Readonly<Record<string, string>> | null;
  sdk?: SdkInfo | null;
  fingerprint?: readonly string[] | null;
  /** What very old SDKs sent to group by, in place of a fingerprint. */
  checksum?: string | null;
  debug_meta?: Readonly<Record<string, unknown>> | null;
  csp?: Readonly<Record<string, unknown>> | null;
  /** Reports of browsers: of these five an event has at most one. */
  hpkp?: Readonly<Record<string, unknown>> | null;
  expectct?: Readonly<Record<string, unknown>> | null;
  expectstaple?: Readonly<Record<string, unknown>> | null;
  nel?: Readonly<Record<string, unknown>> | null;
  /** Of events of performance issues, and of no others: the evidence. */
  occurrence?: Occurrence | null;
  /** Of events of monitors, and of no others: why it failed. */
  monitor?: MonitorEvidence | null;
  errors?: readonly ProcessingError[];
  _meta?: Readonly<Record<string, unknown>> | null;
};

/** What the title and culprit of an issue are made of. */
export type EventMetadata = {
  type?: string;
  value?: string;
  title?: string;
  filename?: string;
  function?: string;
  /** Who wrote a feedback, as they said. */
  name?: string;
  contact_email?: string;
};

/** A normalized event with what was derived from it: ready for the stores. */
export type DigestedEvent = {
  organizationId: number;
  projectId: number;
  keyId: number;
  /** 32 lower-case hex digits. */
  eventId: string;
  type: EventType;
  level: Level;
  platform: string;
  /** Milliseconds since the epoch, by the SDK's clock after correction. */
  occurredAt: number;
  /** Milliseconds since the epoch, by the edge's clock. */
  receivedAt: number;
  title: string;
  /** Where it happened, for people: `applyCoupon(checkout/cart)`; empty when unknown. */
  culprit: string;
  /** The formatted message, or the exception's value; empty when neither exists. */
  message: string;
  metadata: EventMetadata;
  /** md5, 32 lower-case hex digits; maps to one issue of the project. */
  groupingHash: string;
  /** All hashes that it could be found by, the primary one first. Never empty. */
  groupingHashes: readonly string[];
  logger: string | null;
  release: string | null;
  dist: string | null;
  environment: string | null;
  transaction: string | null;
  traceId: string | null;
  user: { id: string | null; email: string | null; username: string | null; ip: string | null };
  sdk: { name: string; version: string };
  /** Deduplicated by key, the reserved ones (level, environment, release, …) included. */
  tags: readonly (readonly [string, string])[];
  /** False when spike protection left the body out: then only what stands above is stored. */
  hasBody: boolean;
  /** It comes from another installation: it is counted, and changes nothing else of its issue. */
  isImport?: boolean;
  payload: NormalizedEvent;
};
