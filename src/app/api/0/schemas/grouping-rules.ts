import { z } from 'zod';

const CHANGE = z
  .object({
    id: z.string(),
    state: z.enum(['scanning', 'moving', 'done', 'undoing', 'undone', 'cancelled']),
    rulesVersion: z.number().nullable(),
    formerVersion: z.number().nullable(),
    dateCreated: z.string(),
    eventsSeen: z.number(),
    eventsTotal: z.number(),
    eventsMoved: z.number(),
    issuesBefore: z.number(),
    issuesAfter: z.number(),
    lastError: z.string().nullable(),
  })
  .meta({ id: 'GroupingChange' });

/** `change` is what became of issues that were there before; null when nothing did. */
export const GROUPING_CHANGE = z.object({ change: CHANGE.nullable() });

export const GROUPING_RULES = GROUPING_CHANGE.extend({
  version: z.number(),
  fingerprint: z.string(),
  stackTrace: z.string(),
}).meta({ id: 'GroupingRules' });

const GROUPED_ISSUE = z.object({
  issueId: z.number(),
  shortId: z.string(),
  title: z.string(),
  timesSeen: z.number(),
});

export const GROUPING_PREVIEW = z
  .object({
    eventsSeen: z.number(),
    issuesSeen: z.number(),
    issuesInPeriod: z.number(),
    issuesAfter: z.number(),
    mergeCount: z.number(),
    merges: z.array(z.object({ into: GROUPED_ISSUE, count: z.number(), issues: z.array(GROUPED_ISSUE) })),
    splitCount: z.number(),
    splits: z.array(
      z.object({
        issue: GROUPED_ISSUE,
        parts: z.array(z.object({ title: z.string(), eventId: z.string(), stays: z.boolean() })),
      }),
    ),
    titleCount: z.number(),
    titles: z.array(z.object({ issue: GROUPED_ISSUE, title: z.string() })),
    tookMs: z.number(),
  })
  .meta({ id: 'GroupingPreview' });
