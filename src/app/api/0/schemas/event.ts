import { z } from 'zod';
import { META } from './meta.ts';
import { EVENT_TYPE, LEVEL, TAG } from './parts.ts';

export const SUMMARY_USER = z
  .object({
    id: z.string().nullable(),
    email: z.string().nullable(),
    username: z.string().nullable(),
    ip_address: z.string().nullable(),
  })
  .meta({ id: 'SummaryUser' });

export const EVENT_SUMMARY = z
  .object({
    id: z.string(),
    eventID: z.string(),
    'event.type': EVENT_TYPE,
    groupID: z.string().nullable(),
    projectID: z.string(),
    title: z.string(),
    message: z.string(),
    platform: z.string(),
    culprit: z.string(),
    location: z.null(),
    metadata: z.object({ title: z.string() }),
    user: SUMMARY_USER.nullable(),
    tags: z.array(TAG),
    dateCreated: z.string(),
    crashFile: z.null(),
  })
  .meta({ id: 'EventSummary' });

const USER = z
  .object({
    id: z.string().nullable(),
    email: z.string().nullable(),
    username: z.string().nullable(),
    name: z.string().nullable(),
    ip_address: z.string().nullable(),
    geo: z.record(z.string(), z.string()).nullable(),
    data: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'EventUser' });

const ERROR = z
  .object({
    type: z.string(),
    message: z.string(),
    data: z.object({ name: z.string(), reason: z.string().optional(), value: z.unknown().optional() }),
  })
  .meta({ id: 'EventError' });

/** What events of every kind have in common. */
export const ANY_EVENT = z.object({
  id: z.string(),
  eventID: z.string(),
  groupID: z.string().nullable(),
  projectID: z.string(),
  title: z.string(),
  message: z.string(),
  platform: z.string(),
  level: LEVEL,
  dateCreated: z.string(),
  dateReceived: z.string(),
  culprit: z.string(),
  location: z.string().nullable(),
  user: USER.nullable(),
  tags: z.array(TAG),
  contexts: z.record(z.string(), z.unknown()),
  context: z.record(z.string(), z.unknown()),
  packages: z.record(z.string(), z.string()),
  sdk: z.object({ name: z.string().nullable(), version: z.string().nullable() }).nullable(),
  entries: z.array(z.object({ type: z.string(), data: z.unknown() })),
  errors: z.array(ERROR),
  release: z.object({ version: z.string() }).nullable(),
  dist: z.string().nullable(),
  fingerprints: z.array(z.string()),
  size: z.number(),
  isBodySampled: z.boolean(),
  crashFile: z.null(),
  userReport: z.null(),
  occurrence: z.null(),
  sdkUpdates: z.array(z.unknown()),
  resolvedWith: z.array(z.unknown()),
  nextEventID: z.string().nullable(),
  previousEventID: z.string().nullable(),
  _meta: META,
});

/** Only what is known stands there. */
export const EVENT_METADATA = z
  .object({
    type: z.string(),
    value: z.string(),
    title: z.string(),
    filename: z.string(),
    function: z.string(),
  })
  .partial();

export const EVENT = ANY_EVENT.extend({ type: EVENT_TYPE, metadata: EVENT_METADATA }).meta({ id: 'Event' });
