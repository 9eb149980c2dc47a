import { createNoMailer } from '#delivery/smtp/smtp-mailer.ts';
import type { AlertDefinition } from '#domain/alerts/alert-rule.ts';
import { countAlertFirings, listAlertFirings } from '#product/alerts/alert-firings.ts';
import {
  createAlertRule,
  deleteAlertRule,
  setAlertRuleEnabled,
  snoozeAlertRule,
  updateAlertRule,
} from '#product/alerts/change-alert-rules.ts';
import { getDeliveryHealth } from '#product/alerts/get-delivery-health.ts';
import { getAlertRule, listAlertReceivers, listAlertRules } from '#product/alerts/list-alert-rules.ts';
import { previewAlertRule } from '#product/alerts/preview/preview-alert-rule.ts';
import { testRoutes } from '#product/alerts/test-routes.ts';
import { HOUR_MS } from '../../contract/sample-events.ts';
import { type ApiRequest, type ApiRow, row } from './api-row.ts';
import { SENDER } from './destination-rows.ts';
import { reads, settings, type VerbRow } from './rows.ts';
import type { MatrixScene } from './scene.ts';

const ORG = 'organizations/[org]';
const PROJECT = 'projects/[org]/[project]';

const ISSUE: AlertDefinition = {
  kind: 'issue',
  triggers: ['first_seen'],
  filters: [],
  filterMatch: 'all',
  frequencyMinutes: 30,
  receivers: [{ kind: 'owners', otherwise: 'members' }],
};
const metricOf = (userId: string): AlertDefinition => ({
  kind: 'metric',
  measure: 'events',
  query: '',
  windowMinutes: 60,
  direction: 'above',
  critical: 100,
  warning: null,
  resolve: null,
  receivers: [{ kind: 'user', userId }],
});

export const newRule = async (s: MatrixScene, definition: AlertDefinition = ISSUE): Promise<number> => {
  const rule = { name: s.unique(), environment: null, owner: null, definition };
  return (await createAlertRule(s.owner, { ...rule, projectSlug: s.web.slug })).rule.id;
};
const draft = (s: MatrixScene) => ({
  name: s.unique(),
  environment: null,
  owner: null,
  definition: ISSUE,
});

export const ALERT_CHANGES: Readonly<Record<string, VerbRow>> = {
  createAlertRule: settings('admin', 'rule.create', (ctx, s) =>
    createAlertRule(ctx, { ...draft(s), projectSlug: s.web.slug }),
  ),
  updateAlertRule: settings('admin', 'rule.edit', async (ctx, s) =>
    updateAlertRule(ctx, await newRule(s), draft(s)),
  ),
  setAlertRuleEnabled: settings('admin', 'rule.disable', async (ctx, s) =>
    setAlertRuleEnabled(ctx, await newRule(s), false),
  ),
  snoozeAlertRule: settings('admin', 'rule.snooze', async (ctx, s) =>
    snoozeAlertRule(ctx, await newRule(s), ctx.now() + HOUR_MS),
  ),
  testRoutes: settings('admin', 'destination.test', async (ctx, s) =>
    testRoutes(ctx, { mailer: createNoMailer(), destinationSender: SENDER }, [
      { kind: 'destination', destinationId: s.destinationId },
    ]),
  ),
  deleteAlertRule: settings('admin', 'rule.remove', async (ctx, s) => deleteAlertRule(ctx, await newRule(s))),
};

export const ALERT_READS: Readonly<Record<string, VerbRow>> = {
  listAlertRules: reads('viewer', (ctx) => listAlertRules(ctx, { projectSlugs: [] })),
  getAlertRule: reads('viewer', async (ctx, s) => getAlertRule(ctx, await newRule(s))),
  listAlertReceivers: reads('viewer', (ctx) => listAlertReceivers(ctx)),
  listAlertFirings: reads('viewer', async (ctx, s) =>
    listAlertFirings(ctx, { ruleId: await newRule(s), cursor: null, limit: 10 }),
  ),
  countAlertFirings: reads('viewer', async (ctx, s) =>
    countAlertFirings(ctx, { ruleId: await newRule(s), range: s.range, bucketMs: HOUR_MS }),
  ),
  getDeliveryHealth: reads('viewer', (ctx) => getDeliveryHealth(ctx, createNoMailer(), [])),
  previewAlertRule: reads('viewer', (ctx, s) =>
    previewAlertRule(ctx, { projectSlug: s.web.slug, environment: null, definition: ISSUE }),
  ),
};

/** What only verbs of alerts call. */
export const ALERT_PARTS: readonly string[] = [
  'requireAlertRead',
  'requireAlertWrite',
  'canChangeAlerts',
  'findVisibleRule',
  'alertRuleNotFound',
  'addDefaultRules',
  'checkAlertRule',
  'openMetricQuery',
  'findMoments',
  'previewIssueAlert',
  'previewMetricAlert',
];

const CONDITION = { id: 'sentry.rules.conditions.first_seen_event.FirstSeenEventCondition' };
const ACTION = { id: 'sentry.mail.actions.NotifyEmailAction', targetType: 'IssueOwners' };
const ruleBody = (s: MatrixScene) => ({ name: s.unique(), conditions: [CONDITION], actions: [ACTION] });
const metricBody = (s: MatrixScene) => ({
  name: s.unique(),
  projects: [s.web.slug],
  aggregate: 'count()',
  timeWindow: 60,
  thresholdType: 0,
  triggers: [
    {
      label: 'critical',
      alertThreshold: 100,
      actions: [{ type: 'email', targetType: 'user', targetIdentifier: s.owner.userId }],
    },
  ],
});
const ofRule = async (s: MatrixScene): Promise<ApiRequest> => ({
  params: { rule: String(await newRule(s)) },
  body: { name: s.unique() },
});
const ofMetric = async (s: MatrixScene): Promise<ApiRequest> => ({
  params: { rule: String(await newRule(s, metricOf(s.owner.userId))) },
  body: metricBody(s),
});

export const ALERT_ROWS: Readonly<Record<string, ApiRow>> = {
  [`POST ${PROJECT}/rules`]: row('admin', (s) => ({ body: ruleBody(s) })),
  [`GET ${PROJECT}/rules/[rule]`]: row('viewer', ofRule),
  [`PUT ${PROJECT}/rules/[rule]`]: row('admin', ofRule),
  [`DELETE ${PROJECT}/rules/[rule]`]: row('admin', ofRule),
  [`POST ${PROJECT}/rules/[rule]/snooze`]: row('admin', async (s) => ({ ...(await ofRule(s)), body: {} })),
  [`DELETE ${PROJECT}/rules/[rule]/snooze`]: row('admin', ofRule),
  [`POST ${PROJECT}/rules/preview`]: row('viewer', () => ({ body: { conditions: [CONDITION] } })),
  [`POST ${ORG}/alert-rules`]: row('admin', (s) => ({ body: metricBody(s) })),
  [`POST ${ORG}/alert-rules/preview`]: row('viewer', (s) => ({ body: metricBody(s) })),
  [`GET ${ORG}/alert-rules/[rule]`]: row('viewer', ofMetric),
  [`GET ${ORG}/detectors/[rule]`]: row('viewer', ofMetric),
  [`PUT ${ORG}/alert-rules/[rule]`]: row('admin', ofMetric),
  [`DELETE ${ORG}/alert-rules/[rule]`]: row('admin', ofMetric),
};
