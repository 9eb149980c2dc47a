import { z } from 'zod';
import { NAMED } from './parts.ts';

export const REPROCESS = z
  .object({
    id: z.string(),
    project: z.string(),
    scope: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('issue'), issueId: z.number() }),
      z.object({ kind: z.literal('release'), version: z.string() }),
      z.object({ kind: z.literal('bundle'), bundleId: z.number() }),
    ]),
    status: z.enum(['waiting', 'scanning', 'moving', 'done', 'cancelled']),
    eventsSeen: z.number(),
    eventsTotal: z.number(),
    eventsChanged: z.number(),
    issuesBefore: z.number(),
    issuesAfter: z.number(),
    user: NAMED.nullable(),
    dateCreated: z.string(),
    dateFinished: z.string().nullable(),
    lastError: z.string().nullable(),
  })
  .meta({ id: 'Reprocess' });
