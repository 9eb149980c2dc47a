import { z } from 'zod';
import { answerPage } from '#app/api/0/answer-page.ts';
import { type ApiCaller, contextOf } from '#app/api/0/api-caller.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { CURSOR, PROJECTS, WORDS } from '#app/api/0/parameters.ts';
import { readJsonBody } from '#app/api/0/read-json-body.ts';
import { COMBINED_RULE, METRIC_RULE } from '#app/api/0/schemas/alert-rule.ts';
import { invalid, notFound } from '#lib/errors.ts';
import { createAlertRule, deleteAlertRule, updateAlertRule } from '#product/alerts/change-alert-rules.ts';
import {
  type AlertRuleRow,
  getAlertRule,
  listAlertReceivers,
  listAlertRules,
} from '#product/alerts/list-alert-rules.ts';
import type { Context } from '#product/context.ts';
import { selectProject } from '../find-project.ts';
import { type OrganizationParams, readProjects } from '../organization-endpoints.ts';
import { readOwner, serializeIssueRule } from './issue-rule-shape.ts';
import { METRIC_RULE_BODY, readMetric, serializeMetricRule } from './metric-rule-shape.ts';

type RuleParams = OrganizationParams & { rule: string };

const LIST_METRIC_RULES = {
  summary: 'Lists metric alert rules',
  scopes: ['alerts:read', 'project:read'],
  query: {
    ...CURSOR,
    ...PROJECTS,
    name: z.string().describe('Keeps rules with these words in their name'),
    ...WORDS,
  },
  answer: z.array(METRIC_RULE),
  isPaged: true,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/alerts/list-an-organizations-metric-alert-rules/ */
export const listMetricRulesEndpoint = declare<OrganizationParams>(
  LIST_METRIC_RULES,
  async ({ caller, params, url }) => {
    const ctx = contextOf(caller, params.org);
    const { rows, known } = await listRules(ctx, url);
    const metrics = rows.filter(({ rule }) => rule.definition.kind === 'metric');
    return answerPage(ctx.publicUrl, url, async () => ({
      rows: metrics.map((row) => serializeMetricRule(row, known, ctx.now())),
      nextCursor: null,
    }));
  },
);

const LIST_COMBINED_RULES = {
  summary: 'Lists alert rules of both kinds',
  scopes: ['alerts:read', 'project:read'],
  query: {
    ...CURSOR,
    ...PROJECTS,
    alertType: z.string().describe('rule or alert_rule'),
    name: z.string().describe('Keeps rules with these words in their name'),
    ...WORDS,
  },
  answer: z.array(COMBINED_RULE),
  isPaged: true,
} satisfies Operation;

/** Rules of issues and of metrics together, each with its `type`. */
export const listCombinedRulesEndpoint = declare<OrganizationParams>(
  LIST_COMBINED_RULES,
  async ({ caller, params, url }) => {
    const ctx = contextOf(caller, params.org);
    const { rows, known } = await listRules(ctx, url);
    const types = url.searchParams.getAll('alertType').filter((type) => type !== '');
    const serialized = rows.map((row) =>
      row.rule.definition.kind === 'issue'
        ? { ...serializeIssueRule(row, known, ctx.now()), type: 'rule' }
        : { ...serializeMetricRule(row, known, ctx.now()), type: 'alert_rule' },
    );
    return answerPage(ctx.publicUrl, url, async () => ({
      rows: serialized.filter(({ type }) => types.length === 0 || types.includes(type)),
      nextCursor: null,
    }));
  },
);

const CREATE_METRIC_RULE = {
  summary: 'Creates a metric alert rule',
  scopes: ['alerts:write', 'project:write'],
  body: METRIC_RULE_BODY,
  answer: METRIC_RULE,
  status: 201,
} satisfies Operation;

export const createMetricRuleEndpoint = declare<OrganizationParams>(
  CREATE_METRIC_RULE,
  async ({ caller, params, request }) => {
    const ctx = contextOf(caller, params.org);
    const body = await readJsonBody(request, METRIC_RULE_BODY);
    const [projectSlug = ''] = body.projects;
    const project = await selectProject(ctx, projectSlug);
    const known = await listAlertReceivers(ctx);
    const row = await createAlertRule(ctx, {
      projectSlug: project.slug,
      name: body.name,
      environment: body.environment ?? null,
      owner: readOwner(body.owner),
      definition: readMetric(body, known),
    });
    return { body: serializeMetricRule(row, known, ctx.now()), status: 201 };
  },
);

const GET_METRIC_RULE = {
  summary: 'Answers a metric alert rule',
  scopes: ['alerts:read', 'project:read'],
  answer: METRIC_RULE,
} satisfies Operation;

export const getMetricRuleEndpoint = declare<RuleParams>(GET_METRIC_RULE, async ({ caller, params }) => {
  const { ctx, row } = await findRule(caller, params);
  return { body: serializeMetricRule(row, await listAlertReceivers(ctx), ctx.now()) };
});

const UPDATE_METRIC_RULE = {
  summary: 'Changes a metric alert rule',
  scopes: ['alerts:write', 'project:write'],
  body: METRIC_RULE_BODY,
  answer: METRIC_RULE,
} satisfies Operation;

export const updateMetricRuleEndpoint = declare<RuleParams>(
  UPDATE_METRIC_RULE,
  async ({ caller, params, request }) => {
    const { ctx, row } = await findRule(caller, params);
    const body = await readJsonBody(request, METRIC_RULE_BODY);
    const [projectSlug = ''] = body.projects;
    if ((await selectProject(ctx, projectSlug)).id !== row.project.id) {
      throw invalid('"projects": a rule stays in its project: create another one there', 'projects');
    }
    const known = await listAlertReceivers(ctx);
    const changed = await updateAlertRule(ctx, row.rule.id, {
      name: body.name,
      environment: body.environment ?? null,
      owner: readOwner(body.owner),
      definition: readMetric(body, known),
    });
    return { body: serializeMetricRule(changed, known, ctx.now()) };
  },
);

const DELETE_METRIC_RULE = {
  summary: 'Deletes a metric alert rule',
  scopes: ['alerts:write', 'project:write'],
  answer: null,
  status: 202,
} satisfies Operation;

export const deleteMetricRuleEndpoint = declare<RuleParams>(
  DELETE_METRIC_RULE,
  async ({ caller, params }) => {
    const { ctx, row } = await findRule(caller, params);
    await deleteAlertRule(ctx, row.rule.id);
    return { body: null, status: 202 };
  },
);

/** Of the projects that are named, with the name that is looked for. */
async function listRules(ctx: Context, url: URL) {
  const [rows, known] = await Promise.all([
    listAlertRules(ctx, { projectSlugs: await readProjects(url, ctx) }),
    listAlertReceivers(ctx),
  ]);
  const name = (url.searchParams.get('name') ?? url.searchParams.get('query') ?? '').trim().toLowerCase();
  return { rows: rows.filter(({ rule }) => rule.name.toLowerCase().includes(name)), known };
}

async function findRule(caller: ApiCaller, params: RuleParams): Promise<{ ctx: Context; row: AlertRuleRow }> {
  const ctx = contextOf(caller, params.org);
  const missing = notFound(
    `The organization ${ctx.organization.slug} has no metric alert rule "${params.rule.slice(0, 40)}"`,
  );
  if (!/^\d{1,15}$/.test(params.rule)) throw missing;
  const row = await getAlertRule(ctx, Number(params.rule));
  if (row.rule.definition.kind !== 'metric') throw missing;
  return { ctx, row };
}
