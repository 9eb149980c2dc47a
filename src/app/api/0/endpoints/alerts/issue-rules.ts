import { z } from 'zod';
import {
  ISSUE_RULE,
  ISSUE_RULE_BODY,
  ISSUE_RULE_CHANGE,
  readOwner,
  readReceivers,
  serializeIssueRule,
} from '#app/api/0/endpoints/alerts/issue-rule-shape.ts';
import { RULE_PREVIEW, serializePreview } from '#app/api/0/endpoints/alerts/rule-answers.ts';
import { del, get, type Operation, post, put } from '#app/api/0/operation.ts';
import { CURSOR } from '#app/api/0/query.ts';
import type { AlertReceiver } from '#domain/alerts/alert-rule.ts';
import type { Project } from '#domain/projects.ts';
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
import { ISSUE_RULE_QUESTION, readQuestion } from '#product/alerts/sentry-rules/issue-question.ts';
import { type Context, inTransaction } from '#product/context.ts';

/** For everybody: until a time, or until somebody wakes it. */
const SNOOZE = z.object({
  target: z.literal('everyone').optional(),
  until: z.iso.datetime({ offset: true }).nullish(),
});

export const issueRuleOperations: readonly Operation[] = [
  /** Source: https://docs.sentry.io/api/alerts/list-a-projects-issue-alert-rules/ */
  get('projects/[org]/[project]/rules', {
    summary: "Lists a project's alert rules",
    scopes: ['alerts:read', 'project:read'],
    query: { ...CURSOR },
    answer: z.array(ISSUE_RULE),
    isPaged: true,
    async handle({ ctx, project, page }) {
      const [rows, known] = await Promise.all([
        listAlertRules(ctx, { projectSlugs: [project.slug] }),
        listAlertReceivers(ctx),
      ]);
      const issueRules = rows.filter(({ rule }) => rule.definition.kind === 'issue');
      return page(async () => issueRules.map((row) => serializeIssueRule(row, known, ctx.now())));
    },
  }),

  post('projects/[org]/[project]/rules', {
    summary: 'Creates an alert rule',
    scopes: ['alerts:write', 'project:write'],
    body: ISSUE_RULE_BODY,
    answer: ISSUE_RULE,
    status: 201,
    async handle({ ctx, project, body }) {
      const known = await listAlertReceivers(ctx);
      const row = await inTransaction(ctx, async (ctx) => {
        const created = await createAlertRule(ctx, {
          projectSlug: project.slug,
          ...readRule(body, readReceivers(body.actions, known)),
        });
        return body.status === 'disabled' ? setAlertRuleEnabled(ctx, created.rule.id, false) : created;
      });
      return serializeIssueRule(row, known, ctx.now());
    },
  }),

  get('projects/[org]/[project]/rules/[rule]', {
    summary: 'Retrieves an alert rule',
    scopes: ['alerts:read', 'project:read'],
    answer: ISSUE_RULE,
    async handle({ ctx, project, params }) {
      const row = await findRule(ctx, project, params.rule);
      return serializeIssueRule(row, await listAlertReceivers(ctx), ctx.now());
    },
  }),

  /** What is not sent stays as it is, receivers that are gone too. */
  put('projects/[org]/[project]/rules/[rule]', {
    summary: 'Updates an alert rule',
    scopes: ['alerts:write', 'project:write'],
    body: ISSUE_RULE_CHANGE,
    answer: ISSUE_RULE,
    async handle({ ctx, project, params, body: sent }) {
      const row = await findRule(ctx, project, params.rule);
      const known = await listAlertReceivers(ctx);
      const body = parseChange({ ...serializeIssueRule(row, known, ctx.now()), ...sent });
      const changed = await inTransaction(ctx, async (ctx) => {
        if (Object.keys(sent).some((field) => field !== 'status')) {
          const { receivers } = row.rule.definition;
          const named = sent.actions === undefined ? receivers : readReceivers(body.actions, known);
          await updateAlertRule(ctx, row.rule.id, readRule(body, named));
        }
        return setAlertRuleEnabled(ctx, row.rule.id, body.status !== 'disabled');
      });
      return serializeIssueRule(changed, known, ctx.now());
    },
  }),

  del('projects/[org]/[project]/rules/[rule]', {
    summary: 'Deletes an alert rule',
    scopes: ['alerts:write', 'project:write'],
    answer: null,
    status: 202,
    async handle({ ctx, project, params }) {
      const row = await findRule(ctx, project, params.rule);
      await deleteAlertRule(ctx, row.rule.id);
    },
  }),

  post('projects/[org]/[project]/rules/[rule]/snooze', {
    summary: 'Snoozes an alert rule',
    scopes: ['alerts:write', 'project:write'],
    body: SNOOZE,
    answer: ISSUE_RULE,
    status: 201,
    async handle({ ctx, project, params, body }) {
      const row = await findRule(ctx, project, params.rule);
      const untilMs = body.until ? Date.parse(body.until) : Number.POSITIVE_INFINITY;
      const snoozed = await snoozeAlertRule(ctx, row.rule.id, untilMs);
      return serializeIssueRule(snoozed, await listAlertReceivers(ctx), ctx.now());
    },
  }),

  del('projects/[org]/[project]/rules/[rule]/snooze', {
    summary: 'Unsnoozes an alert rule',
    scopes: ['alerts:write', 'project:write'],
    answer: null,
    async handle({ ctx, project, params }) {
      const row = await findRule(ctx, project, params.rule);
      await snoozeAlertRule(ctx, row.rule.id, null);
    },
  }),

  /** What the rule would have done in the last 14 days; keeps nothing. */
  post('projects/[org]/[project]/rules/preview', {
    summary: 'Previews when an alert rule would have triggered',
    scopes: ['alerts:read', 'project:read'],
    body: ISSUE_RULE_QUESTION,
    answer: RULE_PREVIEW,
    async handle({ ctx, project, body }) {
      const preview = await previewAlertRule(ctx, {
        projectSlug: project.slug,
        environment: body.environment ?? null,
        // A preview notifies nobody.
        definition: { ...readQuestion(body), receivers: [{ kind: 'owners', otherwise: 'nobody' }] },
      });
      return serializePreview(preview);
    },
  }),
];

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

async function findRule(ctx: Context, project: Project, rule: string): Promise<AlertRuleRow> {
  const missing = notFound(`The project ${project.slug} has no alert rule "${rule.slice(0, 40)}"`);
  if (!/^\d{1,15}$/.test(rule)) throw missing;
  const row = await getAlertRule(ctx, Number(rule));
  if (row.project.id !== project.id || row.rule.definition.kind !== 'issue') throw missing;
  return row;
}
