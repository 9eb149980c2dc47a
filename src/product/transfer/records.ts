import { z } from 'zod';
import { ISSUE_SORTS } from '#domain/issues/issue.ts';
import { ROLES } from '#domain/people.ts';
import { UPTIME_INTERVALS } from '#domain/uptime/monitor.ts';
import { FILE_CHANGES } from '#product/commits/commit.ts';
import { UPTIME_DEFINITION } from '#product/uptime/check-uptime-monitor.ts';
import { INTERVAL_UNITS } from '#protocol/monitor-config.ts';
import { TELEMETRY_KINDS, type TelemetryKind } from '#protocol/telemetry.ts';
import { ALERT_RULE_RECORD } from './alert-records.ts';
import { EVENT_RECORD, ISSUE_RECORD } from './issue-records.ts';
import {
  EMAIL,
  FILE,
  HEX_ID,
  JSON_OBJECT,
  LIST_MAX,
  LONG_TEXT,
  OWNER,
  PERSON,
  SOURCE_ID,
  TEXT,
  TIME,
} from './record-parts.ts';

/** Raised when an older version cannot read a folder any more; kinds and fields are added without that. */
export const TRANSFER_FORMAT = 1;

const ORGANIZATION = z.object({
  kind: z.literal('organization'),
  id: SOURCE_ID,
  slug: TEXT,
  name: TEXT,
  /** Whether everybody reads every project; null when the source does not say. */
  isOpen: z.boolean().nullable(),
});

const TEAM = z.object({
  kind: z.literal('team'),
  id: SOURCE_ID,
  slug: TEXT,
  name: TEXT,
  members: z.array(EMAIL).max(LIST_MAX),
});

const MEMBER = z.object({
  kind: z.literal('member'),
  id: SOURCE_ID,
  email: EMAIL,
  name: TEXT.nullable(),
  role: z.enum(ROLES),
});

const KEY = z.object({
  /** The user part of a DSN; the secret part of old DSNs is not asked for, and so not carried over. */
  publicKey: HEX_ID,
  label: TEXT.nullable(),
  isActive: z.boolean(),
});

const PROJECT = z.object({
  kind: z.literal('project'),
  id: SOURCE_ID,
  /** The number at the end of its DSNs, as they are in use. */
  number: z.int().positive(),
  slug: TEXT,
  name: TEXT,
  platform: TEXT.nullable(),
  /** The `id` of the records of its teams. */
  teams: z.array(SOURCE_ID).max(LIST_MAX),
  keys: z.array(KEY).max(1_000),
  createdAt: TIME.nullable(),
  /** Rules in Sentry's syntax; null for none. */
  fingerprintRules: LONG_TEXT.nullable(),
  stackTraceRules: LONG_TEXT.nullable(),
  ownershipRules: LONG_TEXT.nullable(),
});

const ENVIRONMENT = z.object({
  kind: z.literal('environment'),
  project: SOURCE_ID,
  name: TEXT,
  firstSeen: TIME.nullable(),
});

const COMMIT = z.object({
  /** As the version control names it: a hash, mostly. */
  id: TEXT,
  repository: TEXT,
  message: LONG_TEXT,
  author: PERSON.nullable(),
  at: TIME,
  files: z.array(z.object({ path: TEXT, change: z.enum(FILE_CHANGES) })).max(LIST_MAX),
});

const DEPLOY = z.object({
  environment: TEXT,
  name: TEXT.nullable(),
  url: z.string().max(2_048).nullable(),
  startedAt: TIME.nullable(),
  finishedAt: TIME,
});

const RELEASE = z.object({
  kind: z.literal('release'),
  version: TEXT,
  /** The `id` of the records of its projects. */
  projects: z.array(SOURCE_ID).min(1).max(LIST_MAX),
  firstSeen: TIME.nullable(),
  createdAt: TIME.nullable(),
  releasedAt: TIME.nullable(),
  url: z.string().max(2_048).nullable(),
  ref: TEXT.nullable(),
  /** Newest first, as Sentry lists them. */
  commits: z.array(COMMIT).max(LIST_MAX),
  deploys: z.array(DEPLOY).max(LIST_MAX),
});

const SAVED_SEARCH = z.object({
  kind: z.literal('saved_search'),
  id: SOURCE_ID,
  name: TEXT,
  query: z.string().max(LIST_MAX),
  /** Of a search of issues; null for the usual order. */
  sort: z.enum(ISSUE_SORTS).nullable(),
  /** null when nobody in particular saved it: whoever imports then owns it. */
  owner: EMAIL.nullable(),
  isShared: z.boolean(),
  /** What is searched: issues, or rows of Explore. */
  dataset: z.enum(['issues', 'errors', 'spans', 'logs', 'metrics']),
  /** How rows of Explore are shown, as Errata keeps it; null for a search of issues. */
  question: JSON_OBJECT.nullable(),
});

const MONITOR = z.object({
  kind: z.literal('monitor'),
  id: SOURCE_ID,
  project: SOURCE_ID,
  slug: TEXT,
  name: TEXT,
  schedule: z
    .discriminatedUnion('type', [
      z.object({ type: z.literal('crontab'), value: TEXT }),
      z.object({ type: z.literal('interval'), value: z.int().positive(), unit: z.enum(INTERVAL_UNITS) }),
    ])
    .nullable(),
  timeZone: TEXT,
  /** Minutes. */
  checkinMargin: z.int().nonnegative().nullable(),
  maxRuntime: z.int().nonnegative().nullable(),
  failureIssueThreshold: z.int().nonnegative().nullable(),
  recoveryThreshold: z.int().nonnegative().nullable(),
  owner: OWNER.nullable(),
  isDisabled: z.boolean(),
  isMuted: z.boolean(),
});

const UPTIME_MONITOR = z.object({
  kind: z.literal('uptime_monitor'),
  id: SOURCE_ID,
  project: SOURCE_ID,
  name: TEXT,
  url: TEXT,
  /** Rounded up to one that is offered. */
  intervalSeconds: z
    .int()
    .positive()
    .max(UPTIME_INTERVALS.at(-1) ?? 0),
  environment: TEXT.nullable(),
  owner: OWNER.nullable(),
  isEnabled: z.boolean(),
  /** Names of headers that are sent; their values are secret, and have to be entered again. */
  headerNames: z.array(TEXT).max(100),
  /** What is left out is as it is by default. */
  definition: UPTIME_DEFINITION.partial(),
});

const DASHBOARD = z.object({
  kind: z.literal('dashboard'),
  id: SOURCE_ID,
  /** Whether `content` is in our own form or as Sentry's API answers it. */
  format: z.enum(['errata', 'sentry']),
  createdBy: EMAIL.nullable(),
  content: JSON_OBJECT,
});

/** Tables whose rows are no part of an event. */
export const ROW_TABLES = TELEMETRY_KINDS.filter(
  (kind): kind is Exclude<TelemetryKind, 'attachments' | 'feedback'> =>
    kind !== 'attachments' && kind !== 'feedback',
);

/** A row of telemetry as it is stored here: only another Errata can read it. */
const ROW = z.object({
  kind: z.literal('row'),
  project: SOURCE_ID,
  table: z.enum(ROW_TABLES),
  /** Milliseconds or microseconds since the epoch, as the table has them. */
  row: JSON_OBJECT,
  /** The recording or profile that it names; null for none. */
  file: FILE.nullable(),
});

/** Something that the source has and that no record can say; it is told in the report. */
const UNMAPPED = z.object({
  kind: z.literal('unmapped'),
  /** For example `alert_rule`. */
  of: TEXT,
  id: SOURCE_ID,
  name: z.string().max(LIST_MAX),
  /** A sentence for people, without a full stop. */
  reason: z.string().min(1).max(LIST_MAX),
});

export const TRANSFER_RECORD = z.discriminatedUnion('kind', [
  ORGANIZATION,
  MEMBER,
  TEAM,
  PROJECT,
  ENVIRONMENT,
  RELEASE,
  EVENT_RECORD,
  ISSUE_RECORD,
  ALERT_RULE_RECORD,
  SAVED_SEARCH,
  MONITOR,
  UPTIME_MONITOR,
  DASHBOARD,
  ROW,
  UNMAPPED,
]);
export type TransferRecord = z.output<typeof TRANSFER_RECORD>;
export type TransferKind = TransferRecord['kind'];
export type RecordOf<Kind extends TransferKind> = Extract<TransferRecord, { kind: Kind }>;

/**
 * In the order in which records follow each other, so that each names only what came before. Issues and events may be mixed:
 * what an issue says is applied when all events are in.
 */
export const TRANSFER_KINDS = [
  'organization',
  'member',
  'team',
  'project',
  'environment',
  'release',
  'event',
  'issue',
  'alert_rule',
  'saved_search',
  'monitor',
  'uptime_monitor',
  'dashboard',
  'row',
  'unmapped',
] as const satisfies readonly TransferKind[];
