import { z } from 'zod';
import { ISSUE_PRIORITIES, ISSUE_STATUSES, ISSUE_SUBSTATUSES } from '#domain/issues/issue.ts';
import { ISSUES_PER_CALL_MAX } from '#product/issues/get-issue.ts';

/** What a browser may send to the actions of triage; the verbs check what it means. */
const issueId = z.number().int().positive();
const slug = z.string().max(50);
const version = z.string().max(250);
const moment = z
  .number()
  .int()
  .min(0)
  .max(Date.UTC(2261, 0, 1));
const commit = z.object({
  kind: z.literal('commit'),
  repository: z.string().max(200),
  commit: z.string().max(64),
});
const counted = z.object({
  kind: z.enum(['events', 'users']),
  count: z.number().int().min(1).max(1_000_000_000),
  windowMinutes: z.number().int().min(1).max(10_080).nullable(),
});

const RESOLUTION_CHOICE = z.union([
  z.object({ kind: z.enum(['now', 'next_release']) }),
  z.object({ kind: z.literal('release'), release: version.nullable() }),
  commit,
]);

const CONDITION = z.union([
  z.object({ kind: z.enum(['escalating', 'forever']) }),
  z.object({ kind: z.literal('date'), untilMs: moment }),
  counted,
]);

const ACTION = z.union([
  z.object({ verb: z.literal('resolve'), resolution: RESOLUTION_CHOICE }),
  z.object({ verb: z.literal('archive'), condition: CONDITION }),
  z.object({ verb: z.literal('prioritize'), priority: z.enum(ISSUE_PRIORITIES) }),
  z.object({ verb: z.enum(['unresolve', 'unarchive', 'assign', 'unassign']) }),
]);

export const TRIAGE_INPUT = z.object({
  organizationSlug: slug,
  action: ACTION,
  issueIds: z.array(issueId).min(1).max(ISSUES_PER_CALL_MAX),
});

const RESOLUTION = z.union([
  z.object({ kind: z.literal('now') }),
  z.object({ kind: z.literal('next_release'), after: version }),
  z.object({ kind: z.literal('release'), release: version }),
  commit,
]);

const STATUS_STATE = z.object({
  issueId,
  status: z.enum(ISSUE_STATUSES),
  substatus: z.enum(ISSUE_SUBSTATUSES).nullable(),
  substatusAt: moment.nullable(),
  resolvedAt: moment.nullable(),
  resolution: RESOLUTION.nullable(),
  archive: z
    .object({
      condition: CONDITION,
      archivedAt: moment,
      timesSeen: moment,
      forecast: z.number().int().optional(),
    })
    .nullable(),
});

const entries = <Entry extends z.ZodType>(entry: Entry) =>
  z.array(entry).min(1).max(ISSUES_PER_CALL_MAX).readonly();

export const UNDO_INPUT = z.object({
  organizationSlug: slug,
  restoration: z.union([
    z.object({ part: z.literal('status'), entries: entries(STATUS_STATE) }),
    z.object({
      part: z.literal('priority'),
      entries: entries(
        z.object({ issueId, priority: z.enum(ISSUE_PRIORITIES), priorityLockedAt: moment.nullable() }),
      ),
    }),
    z.object({
      part: z.literal('assignee'),
      entries: entries(
        z.object({
          issueId,
          assigneeUserId: z.string().max(100).nullable(),
          assigneeTeamId: z.number().int().positive().nullable(),
        }),
      ),
    }),
  ]),
});

export const RELEASES_INPUT = z.object({
  organizationSlug: slug,
  scopes: z
    .array(z.object({ projectId: z.number().int().positive(), package: version.nullish() }))
    .max(ISSUES_PER_CALL_MAX)
    .readonly(),
  search: version,
});
