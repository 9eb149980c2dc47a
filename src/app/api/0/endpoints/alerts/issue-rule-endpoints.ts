import { z } from 'zod';
import { answerPage } from '#app/api/0/answer-page.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { CURSOR } from '#app/api/0/parameters.ts';
import { readJsonBody } from '#app/api/0/read-json-body.ts';
import { ISSUE_RULE, RULE_PREVIEW } from '#app/api/0/schemas/alert-rule.ts';
import type { AlertReceiver } from '#domain/alerts/alert-rule.ts';
import { invalid, notFound } from '#lib/errors.ts';
import {
  createAlertRule,
  deleteAlertRule,
  setAlertRuleEnabled,
  snoozeAlertRule,
  updateAlertRule,
} from '#product/alerts/change-alert-rules.ts';
import {
  type AlertRuleRow,
  getAlertRule,
  listAlertReceivers,
  listAlertRules,
} from '#product/alerts/list-alert-rules.ts';
import { previewAlertRule } from '#product/alerts/preview/preview-alert-rule.ts';
import { type Context, inTransaction } from '#product/context.ts';
import { findProject, type ProjectParams } from '../find-project.ts';
import {
  ISSUE_RULE_BODY,
  ISSUE_RULE_QUESTION,
  readOwner,
  readQuestion,
  readReceivers,
  serializeIssueRule,
} from './issue-rule-shape.ts';

type RuleParams = ProjectParams & { rule: string };

const LIST_ISSUE_RULES = {
  summary: 'Lists alert rules of a project',
  scopes: ['alerts:read', 'project:read'],
  query: { ...CURSOR },
  answer: z.array(ISSUE_RULE),
  isPaged: true,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/alerts/list-a-projects-issue-alert-rules/ */
export const listIssueRulesEndpoint = declare<ProjectParams>(
  LIST_ISSUE_RULES,
  async ({ caller, params, url }) => {
    const { ctx, project } = await findProject(caller, params);
    const [rows, known] = await Promise.all([
      listAlertRules(ctx, { projectSlugs: [project.slug] }),
      listAlertReceivers(ctx),
    ]);
    const issueRules = rows.filter(({ rule }) => rule.definition.kind === 'issue');
    return answerPage(ctx.publicUrl, url, async () => ({
      rows: issueRules.map((row) => serializeIssueRule(row, known, ctx.now())),
      nextCursor: null,
    }));
  },
);

const CREATE_ISSUE_RULE = {
  summary: 'Creates an alert rule',
  scopes: ['alerts:write', 'project:write'],
  body: ISSUE_RULE_BODY,
  answer: ISSUE_RULE,
  status: 201,
} satisfies Operation;

export const createIssueRuleEndpoint = declare<ProjectParams>(
  CREATE_ISSUE_RULE,
  async ({ caller, params, request }) => {
    const { ctx, project } = await findProject(caller, params);
    const body = await readJsonBody(request, ISSUE_RULE_BODY);
    const known = await listAlertReceivers(ctx);
    const row = await inTransaction(ctx, async (ctx) => {
      const created = await createAlertRule(ctx, {
        projectSlug: project.slug,
        ...readRule(body, readReceivers(body.actions, known)),
      });
      return body.status === 'disabled' ? setAlertRuleEnabled(ctx, created.rule.id, false) : created;
    });
    return { body: serializeIssueRule(row, known, ctx.now()), status: 201 };
  },
);

const GET_ISSUE_RULE = {
  summary: 'Answers an alert rule',
  scopes: ['alerts:read', 'project:read'],
  answer: ISSUE_RULE,
} satisfies Operation;

export const getIssueRuleEndpoint = declare<RuleParams>(GET_ISSUE_RULE, async ({ caller, params }) => {
  const { ctx, row } = await findRule(caller, params);
  return { body: serializeIssueRule(row, await listAlertReceivers(ctx), ctx.now()) };
});

const UPDATE_ISSUE_RULE = {
  summary: 'Changes an alert rule',
  scopes: ['alerts:write', 'project:write'],
  body: ISSUE_RULE_BODY.partial(),
  answer: ISSUE_RULE,
} satisfies Operation;

/** What is not sent stays as it is, receivers that are gone too. */
export const updateIssueRuleEndpoint = declare<RuleParams>(
  UPDATE_ISSUE_RULE,
  async ({ caller, params, request }) => {
    const { ctx, row } = await findRule(caller, params);
    const known = await listAlertReceivers(ctx);
    const sent = await readJsonBody(request, z.looseObject({}));
    const body = parseChange({ ...serializeIssueRule(row, known, ctx.now()), ...sent });
    const changed = await inTransaction(ctx, async (ctx) => {
      if (Object.keys(sent).some((field) => field !== 'status')) {
        const { receivers } = row.rule.definition;
        const named = sent.actions === undefined ? receivers : readReceivers(body.actions, known);
        await updateAlertRule(ctx, row.rule.id, readRule(body, named));
      }
      return setAlertRuleEnabled(ctx, row.rule.id, body.status !== 'disabled');
    });
    return { body: serializeIssueRule(changed, known, ctx.now()) };
  },
);

const DELETE_ISSUE_RULE = {
  summary: 'Deletes an alert rule',
  scopes: ['alerts:write', 'project:write'],
  answer: null,
  status: 202,
} satisfies Operation;

export const deleteIssueRuleEndpoint = declare<RuleParams>(DELETE_ISSUE_RULE, async ({ caller, params }) => {
  const { ctx, row } = await findRule(caller, params);
  await deleteAlertRule(ctx, row.rule.id);
  return { body: null, status: 202 };
});

/** For everybody: until a time, or until somebody wakes it. */
const SNOOZE = z.object({
  target: z.literal('everyone').optional(),
  until: z.iso.datetime({ offset: true }).nullish(),
});

const SNOOZE_RULE = {
  summary: 'Snoozes an alert rule',
  scopes: ['alerts:write', 'project:write'],
  body: SNOOZE,
  answer: ISSUE_RULE,
  status: 201,
} satisfies Operation;

export const snoozeRuleEndpoint = declare<RuleParams>(SNOOZE_RULE, async ({ caller, params, request }) => {
  const { ctx, row } = await findRule(caller, params);
  const { until } = await readJsonBody(request, SNOOZE);
  const untilMs = until ? Date.parse(until) : Number.POSITIVE_INFINITY;
  const snoozed = await snoozeAlertRule(ctx, row.rule.id, untilMs);
  return {
    body: serializeIssueRule(snoozed, await listAlertReceivers(ctx), ctx.now()),
    status: 201,
  };
});

const WAKE_RULE = {
  summary: 'Wakes an alert rule',
  scopes: ['alerts:write', 'project:write'],
  answer: null,
} satisfies Operation;

export const wakeRuleEndpoint = declare<RuleParams>(WAKE_RULE, async ({ caller, params }) => {
  const { ctx, row } = await findRule(caller, params);
  await snoozeAlertRule(ctx, row.rule.id, null);
  return { body: null, status: 204 };
});

const PREVIEW_ISSUE_RULE = {
  summary: 'Tells when an alert rule would have fired',
  scopes: ['alerts:read', 'project:read'],
  body: ISSUE_RULE_QUESTION,
  answer: RULE_PREVIEW,
} satisfies Operation;

/** What the rule would have done in the last 14 days; keeps nothing. */
export const previewIssueRuleEndpoint = declare<ProjectParams>(
  PREVIEW_ISSUE_RULE,
  async ({ caller, params, request }) => {
    const { ctx, project } = await findProject(caller, params);
    const body = await readJsonBody(request, ISSUE_RULE_QUESTION);
    const preview = await previewAlertRule(ctx, {
      projectSlug: project.slug,
      environment: body.environment ?? null,
      // It is told to nobody, whoever is named.
      definition: { ...readQuestion(body), receivers: [{ kind: 'owners', otherwise: 'nobody' }] },
    });
    return {
      body: {
        firings: preview.firings,
        isEstimate: preview.isEstimate,
        estimates: preview.estimates,
        buckets: preview.buckets,
        issues: preview.issues.map((issue) => ({ ...issue, id: String(issue.id) })),
        issuesTotal: preview.issuesTotal,
      },
    };
  },
);

const readRule = (body: z.infer<typeof ISSUE_RULE_BODY>, receivers: readonly AlertReceiver[]) => ({
  name: body.name,
  environment: body.environment ?? null,
  owner: readOwner(body.owner),
  definition: { ...readQuestion(body), receivers },
});

const parseChange = (whole: unknown): z.infer<typeof ISSUE_RULE_BODY> => {
  const parsed = ISSUE_RULE_BODY.safeParse(whole);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.join('.') ?? '';
  throw invalid(`"${field}": ${issue?.message ?? 'invalid'}`, field);
};

async function findRule(
  caller: Parameters<typeof findProject>[0],
  params: RuleParams,
): Promise<{ ctx: Context; row: AlertRuleRow }> {
  const { ctx, project } = await findProject(caller, params);
  const missing = notFound(`The project ${project.slug} has no alert rule "${params.rule.slice(0, 40)}"`);
  if (!/^\d{1,15}$/.test(params.rule)) throw missing;
  const row = await getAlertRule(ctx, Number(params.rule));
  if (row.project.id !== project.id || row.rule.definition.kind !== 'issue') throw missing;
  return { ctx, row };
}
