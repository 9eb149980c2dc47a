import { z } from 'zod';
import { readOwner, serializeIssueRule } from '#app/api/0/endpoints/alerts/issue-rule-shape.ts';
import {
  METRIC_RULE,
  METRIC_RULE_BODY,
  readMetric,
  serializeMetricRule,
} from '#app/api/0/endpoints/alerts/metric-rule-shape.ts';
import { COMBINED_RULE, RULE_PREVIEW, serializePreview } from '#app/api/0/endpoints/alerts/rule-answers.ts';
import { del, get, type Operation, post, put } from '#app/api/0/operation.ts';
import { selectProject } from '#app/api/0/path-scope.ts';
import { CURSOR, PROJECTS, type QueryValues, text, texts, WORDS } from '#app/api/0/query.ts';
import { invalid, notFound } from '#lib/errors.ts';
import { createAlertRule, deleteAlertRule, updateAlertRule } from '#product/alerts/change-alert-rules.ts';
import {
  type AlertRuleRow,
  getAlertRule,
  listAlertReceivers,
  listAlertRules,
} from '#product/alerts/list-alert-rules.ts';
import { previewAlertRule } from '#product/alerts/preview/preview-alert-rule.ts';
import type { Context } from '#product/context.ts';

const RULE_QUERY = { ...PROJECTS, name: text('Filter by words in the rule name'), ...WORDS };

export const metricRuleOperations: readonly Operation[] = [
  /** Source: https://docs.sentry.io/api/alerts/list-an-organizations-metric-alert-rules/ */
  get('organizations/[org]/alert-rules', {
    summary: 'Lists metric alert rules',
    scopes: ['alerts:read', 'project:read'],
    query: { ...CURSOR, ...RULE_QUERY },
    answer: z.array(METRIC_RULE),
    isPaged: true,
    async handle({ ctx, query, page }) {
      const { rows, known } = await listRules(ctx, query);
      const metrics = rows.filter(({ rule }) => rule.definition.kind === 'metric');
      return page(async () => metrics.map((row) => serializeMetricRule(row, known, ctx.now())));
    },
  }),

  /** Rules of issues and of metrics together, each with its `type`. */
  get('organizations/[org]/combined-rules', {
    summary: 'Lists issue alert and metric alert rules',
    scopes: ['alerts:read', 'project:read'],
    query: { ...CURSOR, ...RULE_QUERY, alertType: texts('rule or alert_rule') },
    answer: z.array(COMBINED_RULE),
    isPaged: true,
    async handle({ ctx, query, page }) {
      const { rows, known } = await listRules(ctx, query);
      const types = query.alertType.filter((type) => type !== '');
      const serialized = rows.map((row) =>
        row.rule.definition.kind === 'issue'
          ? { ...serializeIssueRule(row, known, ctx.now()), type: 'rule' }
          : { ...serializeMetricRule(row, known, ctx.now()), type: 'alert_rule' },
      );
      return page(async () => serialized.filter(({ type }) => types.length === 0 || types.includes(type)));
    },
  }),

  post('organizations/[org]/alert-rules', {
    summary: 'Creates a metric alert rule',
    scopes: ['alerts:write', 'project:write'],
    body: METRIC_RULE_BODY,
    answer: METRIC_RULE,
    status: 201,
    async handle({ ctx, body }) {
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
      return serializeMetricRule(row, known, ctx.now());
    },
  }),

  /** What the rule would have done in the last 14 days; keeps nothing. Sentry has none. */
  post('organizations/[org]/alert-rules/preview', {
    summary: 'Previews when a metric alert rule would have triggered',
    scopes: ['alerts:read', 'project:read'],
    body: METRIC_RULE_BODY,
    answer: RULE_PREVIEW,
    async handle({ ctx, body }) {
      const [projectSlug = ''] = body.projects;
      const project = await selectProject(ctx, projectSlug);
      const preview = await previewAlertRule(ctx, {
        projectSlug: project.slug,
        environment: body.environment ?? null,
        // A preview notifies nobody.
        definition: {
          ...readMetric(body, await listAlertReceivers(ctx)),
          receivers: [{ kind: 'owners', otherwise: 'nobody' }],
        },
      });
      return serializePreview(preview);
    },
  }),

  get('organizations/[org]/alert-rules/[rule]', {
    summary: 'Retrieves a metric alert rule',
    scopes: ['alerts:read', 'project:read'],
    answer: METRIC_RULE,
    async handle({ ctx, params }) {
      const row = await findMetricRule(ctx, params.rule);
      return serializeMetricRule(row, await listAlertReceivers(ctx), ctx.now());
    },
  }),

  put('organizations/[org]/alert-rules/[rule]', {
    summary: 'Updates a metric alert rule',
    scopes: ['alerts:write', 'project:write'],
    body: METRIC_RULE_BODY,
    answer: METRIC_RULE,
    async handle({ ctx, params, body }) {
      const row = await findMetricRule(ctx, params.rule);
      const [projectSlug = ''] = body.projects;
      if ((await selectProject(ctx, projectSlug)).id !== row.project.id) {
        throw invalid(
          '"projects": a rule cannot be moved to another project: create a new rule there',
          'projects',
        );
      }
      const known = await listAlertReceivers(ctx);
      const changed = await updateAlertRule(ctx, row.rule.id, {
        name: body.name,
        environment: body.environment ?? null,
        owner: readOwner(body.owner),
        definition: readMetric(body, known),
      });
      return serializeMetricRule(changed, known, ctx.now());
    },
  }),

  del('organizations/[org]/alert-rules/[rule]', {
    summary: 'Deletes a metric alert rule',
    scopes: ['alerts:write', 'project:write'],
    answer: null,
    status: 202,
    async handle({ ctx, params }) {
      const row = await findMetricRule(ctx, params.rule);
      await deleteAlertRule(ctx, row.rule.id);
    },
  }),
];

/** Of the projects that are named, with the name that is looked for. */
async function listRules(ctx: Context, query: QueryValues<typeof RULE_QUERY>) {
  const [rows, known] = await Promise.all([
    listAlertRules(ctx, { projectSlugs: query.projectSlugs }),
    listAlertReceivers(ctx),
  ]);
  const name = (query.name ?? query.search).trim().toLowerCase();
  return { rows: rows.filter(({ rule }) => rule.name.toLowerCase().includes(name)), known };
}

/** Throws NotFound, also for a rule of issues. */
export async function findMetricRule(ctx: Context, rule: string): Promise<AlertRuleRow> {
  const missing = notFound(
    `The organization ${ctx.organization.slug} has no metric alert rule "${rule.slice(0, 40)}"`,
  );
  if (!/^\d{1,15}$/.test(rule)) throw missing;
  const row = await getAlertRule(ctx, Number(rule));
  if (row.rule.definition.kind !== 'metric') throw missing;
  return row;
}
