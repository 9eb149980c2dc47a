import { z } from 'zod';

const EVENT_REF = z.object({ id: z.string(), eventID: z.string() });

/** What somebody wrote; without an event when it came through the form of a page. */
export const FEEDBACK = z
  .object({
    id: z.string(),
    eventID: z.string().nullable(),
    event: EVENT_REF.nullable(),
    name: z.string(),
    email: z.string(),
    comments: z.string(),
    user: z.object({ email: z.string().nullable(), name: z.string().nullable() }).nullable(),
    issue: z.object({ id: z.string(), shortId: z.string(), title: z.string() }).nullable(),
    dateCreated: z.string(),
    source: z.enum(['feedback', 'user_report']),
    url: z.string().nullable(),
    replayId: z.string().nullable(),
    traceId: z.string().nullable(),
    release: z.string().nullable(),
    environment: z.string().nullable(),
    platform: z.string(),
    projectID: z.string(),
  })
  .meta({ id: 'Feedback' });

/** Feedback about an event. */
export const REPORT = FEEDBACK.extend({
  eventID: z.string(),
  event: EVENT_REF,
  user: z
    .object({
      email: z.string().nullable(),
      name: z.string().nullable(),
      id: z.string(),
      username: z.null(),
      ipAddress: z.null(),
      avatarUrl: z.null(),
    })
    .nullable(),
}).meta({ id: 'Report' });
