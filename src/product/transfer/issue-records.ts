import { z } from 'zod';
import { ISSUE_PRIORITIES, ISSUE_STATUSES, ISSUE_SUBSTATUSES } from '#domain/issues/issue.ts';
import { LEVELS } from '#protocol/event.ts';
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

const RESOLUTION = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('now') }),
  /** In the release after this one. */
  z.object({ kind: z.literal('next_release'), after: TEXT }),
  z.object({ kind: z.literal('release'), release: TEXT }),
  z.object({ kind: z.literal('commit'), repository: TEXT, commit: TEXT }),
]);

const WINDOW = { count: z.int().positive(), windowMinutes: z.int().positive().nullable() };
/** What brings an archived issue back. */
const ARCHIVE_CONDITION = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('escalating') }),
  z.object({ kind: z.literal('forever') }),
  z.object({ kind: z.literal('date'), until: TIME }),
  z.object({ kind: z.literal('events'), ...WINDOW }),
  z.object({ kind: z.literal('users'), ...WINDOW }),
]);

export const ACTIVITY_TYPES = [
  'note',
  'first_seen',
  'set_resolved',
  'set_resolved_in_release',
  'set_resolved_in_commit',
  'set_unresolved',
  'set_archived',
  'set_regression',
  'set_escalating',
  'set_priority',
  'assigned',
  'unassigned',
  'auto_set_ongoing',
] as const;

/** What happened to an issue, kept as history. `note` is a comment, whose text is `data.text`. */
const ACTIVITY = z.object({
  /** Unique in its issue. */
  id: SOURCE_ID,
  type: z.enum(ACTIVITY_TYPES),
  /** null when the system did it. */
  person: PERSON.nullable(),
  at: TIME,
  /** As activities have it here: `text` of a comment, `version` of a release, `email` or `team` of an assignment. */
  data: JSON_OBJECT,
});
export type TransferActivity = z.output<typeof ACTIVITY>;

export const ISSUE_RECORD = z.object({
  kind: z.literal('issue'),
  id: SOURCE_ID,
  /** The `id` of the record of its project. */
  project: SOURCE_ID,
  /** `WEB-3F`; null when the source has none. It is kept where it is free. */
  shortId: TEXT.nullable(),
  title: LONG_TEXT,
  culprit: LONG_TEXT,
  level: z.enum(LEVELS),
  platform: TEXT.nullable(),
  /** `error`, `default`, or another type of event. */
  type: TEXT,
  /** What its title is made of: `type` and `value` of an exception, for example. */
  metadata: JSON_OBJECT,
  logger: TEXT.nullable(),
  status: z.enum(ISSUE_STATUSES),
  /** null for the usual one of its status. */
  substatus: z.enum(ISSUE_SUBSTATUSES).nullable(),
  /** Since when it is so; null when the source does not say. */
  statusAt: TIME.nullable(),
  /** null unless it is resolved: then `now` is meant. */
  resolution: RESOLUTION.nullable(),
  /** null unless it is archived: then what its substatus says is meant. */
  archive: ARCHIVE_CONDITION.nullable(),
  /** null when it follows from level and substatus. */
  priority: z.enum(ISSUE_PRIORITIES).nullable(),
  assignee: OWNER.nullable(),
  firstSeen: TIME,
  lastSeen: TIME,
  /** Events that the source has counted, also those that it keeps no longer. */
  timesSeen: z.int().nonnegative(),
  firstRelease: TEXT.nullable(),
  lastRelease: TEXT.nullable(),
  /** Counts of events from `at` on for `minutes`, oldest first; empty when the source has none. */
  counts: z
    .array(z.object({ at: TIME, minutes: z.int().positive(), events: z.int().nonnegative() }))
    .max(LIST_MAX),
  /** Oldest first. */
  activities: z.array(ACTIVITY).max(LIST_MAX),
  /** Grouping hashes of the source, which mean something to the same version of Errata only. */
  hashes: z.array(TEXT).max(LIST_MAX),
  subscribers: z.array(EMAIL).max(LIST_MAX),
  bookmarkedBy: z.array(EMAIL).max(LIST_MAX),
  /** Issues of trackers, and other pages. */
  links: z.array(z.object({ url: z.url().max(2_048), title: z.string().max(1_024) })).max(1_000),
});
export type IssueRecord = z.output<typeof ISSUE_RECORD>;

export const EVENT_RECORD = z.object({
  kind: z.literal('event'),
  /** The event ID; digest gives an event with only zeros another one. */
  id: HEX_ID.refine((id) => !/^0+$/.test(id), 'must not be all zeros'),
  project: SOURCE_ID,
  /** The `id` of the record of its issue; null when the source does not say: then grouping decides. */
  issue: SOURCE_ID.nullable(),
  receivedAt: TIME,
  /** As an SDK sends it: the JSON of an event in Sentry's protocol. */
  payload: JSON_OBJECT,
  attachments: z
    .array(
      z.object({
        name: TEXT,
        contentType: TEXT.nullable(),
        /** As in the header of an item: `event.attachment`, `event.minidump`. */
        type: TEXT.nullable(),
        file: FILE,
      }),
    )
    .max(100),
});
export type EventRecord = z.output<typeof EVENT_RECORD>;
