import { z } from 'zod';
import { get, type Operation, post, put } from '#app/api/0/operation.ts';
import { Reply } from '#app/api/0/reply.ts';
import { each, idOf, isoMs, shapeOf } from '#app/api/0/shape.ts';
import { DAY_MS } from '#lib/time.ts';
import type { GroupingChange } from '#product/grouping/grouping-change.ts';
import { applyGroupingRules, getGroupingRules } from '#product/grouping/grouping-rules.ts';
import { previewGroupingRules } from '#product/grouping/preview-grouping-rules.ts';

const [CHANGE, serializeChange] = shapeOf<GroupingChange>()(
  {
    id: idOf('id'),
    state: z.enum(['scanning', 'moving', 'done', 'undoing', 'undone', 'cancelled']),
    ...each(z.number().nullable(), 'rulesVersion', 'formerVersion'),
    dateCreated: isoMs('createdAt'),
    ...each(z.number(), 'eventsSeen', 'eventsTotal', 'eventsMoved', 'issuesBefore', 'issuesAfter'),
    lastError: z.string().nullable(),
  },
  'GroupingChange',
);

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
    ...each(z.number(), 'eventsSeen', 'issuesSeen', 'issuesInPeriod', 'issuesAfter'),
    ...each(z.number(), 'issuesChanged', 'eventsChanged', 'mergeCount'),
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

/** Room for the longest texts, with every character escaped. */
const BODY_BYTES_MAX = 2 * 1024 * 1024;
const TEXTS = { fingerprint: z.string().optional(), stackTrace: z.string().optional() };

const RULES = z.strictObject({
  ...TEXTS,
  applyTo: z.enum(['new', 'history']).default('new'),
  /** The version that was edited; absent for the one that counts now. */
  basedOn: z.number().int().min(0).optional(),
});

const PREVIEW = z.strictObject({ ...TEXTS, days: z.number().int().min(1).max(90).default(14) });

export const groupingRuleOperations: readonly Operation[] = [
  /** The rules that count, and what was applied to history last. */
  get('projects/[org]/[project]/grouping-rules', {
    summary: "Retrieves a project's grouping rules",
    scopes: ['project:read'],
    answer: GROUPING_RULES,
    async handle({ ctx, project }) {
      const { active, regroups } = await getGroupingRules(ctx, project.slug);
      return {
        version: active.version,
        fingerprint: active.fingerprint,
        stackTrace: active.stackTrace,
        change: regroups[0] ? serializeChange(regroups[0]) : null,
      };
    },
  }),

  /** A text that is left out stays as it is. Answers 202 with the job when stored events are regrouped. */
  put('projects/[org]/[project]/grouping-rules', {
    summary: "Replaces a project's grouping rules",
    scopes: ['project:write'],
    body: RULES,
    bodyBytesMax: BODY_BYTES_MAX,
    answer: GROUPING_CHANGE,
    otherStatus: 202,
    async handle({ ctx, project, body }) {
      const { active } = await getGroupingRules(ctx, project.slug);
      const change = await applyGroupingRules(ctx, {
        projectSlug: project.slug,
        to: body.applyTo,
        basedOn: body.basedOn ?? active.version,
        rules: {
          fingerprint: body.fingerprint ?? active.fingerprint,
          stackTrace: body.stackTrace ?? active.stackTrace,
        },
      });
      return change === null ? { change } : new Reply({ change: serializeChange(change) }, { status: 202 });
    },
  }),

  post('projects/[org]/[project]/grouping-rules/preview', {
    summary: 'Previews what grouping rules would change',
    scopes: ['project:write'],
    body: PREVIEW,
    bodyBytesMax: BODY_BYTES_MAX,
    answer: GROUPING_PREVIEW,
    async handle({ ctx, project, body }) {
      const { active } = await getGroupingRules(ctx, project.slug);
      const toMs = ctx.now() + DAY_MS;
      return previewGroupingRules(ctx, {
        projectSlug: project.slug,
        texts: {
          fingerprint: body.fingerprint ?? active.fingerprint,
          stackTrace: body.stackTrace ?? active.stackTrace,
        },
        range: { fromMs: ctx.now() - body.days * DAY_MS, toMs },
      });
    },
  }),
];
