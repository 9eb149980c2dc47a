import { z } from 'zod';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { readJsonBody } from '#app/api/0/read-json-body.ts';
import { GROUPING_CHANGE, GROUPING_PREVIEW, GROUPING_RULES } from '#app/api/0/schemas/grouping-rules.ts';
import { DAY_MS } from '#lib/time.ts';
import type { GroupingChange } from '#product/grouping/grouping-change.ts';
import { applyGroupingRules, getGroupingRules } from '#product/grouping/grouping-rules.ts';
import { previewGroupingRules } from '#product/grouping/preview-grouping-rules.ts';
import { findProject, type ProjectParams } from './find-project.ts';

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

const GET_GROUPING_RULES = {
  summary: 'Answers the grouping rules of a project',
  scopes: ['project:read'],
  answer: GROUPING_RULES,
} satisfies Operation;

/** The rules that count, and what was applied to history last. */
export const getGroupingRulesEndpoint = declare<ProjectParams>(
  GET_GROUPING_RULES,
  async ({ caller, params }) => {
    const { ctx, project } = await findProject(caller, params);
    const { active, regroups } = await getGroupingRules(ctx, project.slug);
    return {
      body: {
        version: active.version,
        fingerprint: active.fingerprint,
        stackTrace: active.stackTrace,
        change: regroups[0] ? serializeChange(regroups[0]) : null,
      },
    };
  },
);

const UPDATE_GROUPING_RULES = {
  summary: 'Replaces the grouping rules of a project',
  scopes: ['project:write'],
  body: RULES,
  answer: GROUPING_CHANGE,
  otherStatus: 202,
} satisfies Operation;

/** A text that is left out stays as it is. Answers 202 with the job when stored events are regrouped. */
export const updateGroupingRulesEndpoint = declare<ProjectParams>(UPDATE_GROUPING_RULES, async (call) => {
  const { ctx, project } = await findProject(call.caller, call.params);
  const body = await readJsonBody(call.request, RULES, BODY_BYTES_MAX);
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
  return change === null
    ? { body: { change: null } }
    : { body: { change: serializeChange(change) }, status: 202 };
});

const PREVIEW_GROUPING_RULES = {
  summary: 'Tells what grouping rules would change',
  scopes: ['project:write'],
  body: PREVIEW,
  answer: GROUPING_PREVIEW,
} satisfies Operation;

export const previewGroupingRulesEndpoint = declare<ProjectParams>(PREVIEW_GROUPING_RULES, async (call) => {
  const { ctx, project } = await findProject(call.caller, call.params);
  const body = await readJsonBody(call.request, PREVIEW, BODY_BYTES_MAX);
  const { active } = await getGroupingRules(ctx, project.slug);
  const toMs = ctx.now() + DAY_MS;
  const preview = await previewGroupingRules(ctx, {
    projectSlug: project.slug,
    texts: {
      fingerprint: body.fingerprint ?? active.fingerprint,
      stackTrace: body.stackTrace ?? active.stackTrace,
    },
    range: { fromMs: ctx.now() - body.days * DAY_MS, toMs },
  });
  return { body: preview };
});

const serializeChange = (change: GroupingChange) => ({
  id: String(change.id),
  state: change.state,
  rulesVersion: change.rulesVersion,
  formerVersion: change.formerVersion,
  dateCreated: new Date(change.createdAt).toISOString(),
  eventsSeen: change.eventsSeen,
  eventsTotal: change.eventsTotal,
  eventsMoved: change.eventsMoved,
  issuesBefore: change.issuesBefore,
  issuesAfter: change.issuesAfter,
  lastError: change.lastError,
});
