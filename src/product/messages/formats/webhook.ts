import type { MessagePart } from '#delivery/ports/destination-sender.ts';
import { withUnit } from '#product/measures/describe-measure.ts';
import { type AlertIssue, type AlertMessage, type AlertMetric, metricTitle } from '../alert-message.ts';
import { eventPayload } from './webhook-event.ts';
import { metricRule } from './webhook-metric-rule.ts';

const ACTIONS = { critical: 'critical', warning: 'warning', ok: 'resolved' } as const;
/** Sentry's numbers for what became of an incident: open, closed. */
const STATUS_OPEN = 20;
const STATUS_CLOSED = 2;

type Body = MessagePart['body'];

/**
 * Sentry's payloads: one for the issues, with the event of the first of them where Sentry has its one event, and one for
 * each metric. What Sentry has no place for stands in `data.errata`.
 * Sources: https://docs.sentry.io/organization/integrations/integration-platform/webhooks/issue-alerts/ and
 * …/metric-alerts/
 */
export function formatWebhook(
  message: AlertMessage,
  deliveryId: string,
  publicUrl: string,
): readonly MessagePart[] {
  const metrics = message.metrics.map(
    (metric): MessagePart => ({ resource: 'metric_alert', body: metricBody(message, metric, deliveryId) }),
  );
  if (message.issues.length === 0 && metrics.length > 0) return metrics;
  return [{ resource: 'event_alert', body: issueBody(message, deliveryId, publicUrl) }, ...metrics];
}

function issueBody(message: AlertMessage, deliveryId: string, publicUrl: string): Body {
  const { organization, issues, issuesLeft, metricsLeft, rules, headline, intro, link, isTest } = message;
  const title = rules.map(({ name }) => name).join(', ') || headline;
  return {
    ...envelope('triggered', organization.id),
    data: {
      event: eventPayload(issues[0] ?? null, {
        publicUrl,
        organizationSlug: organization.slug,
        atMs: message.at,
      }),
      triggered_rule: title,
      issue_alert: { title, settings: [] },
      errata: {
        delivery: deliveryId,
        is_test: isTest,
        headline,
        description: intro,
        web_url: link.url,
        organization: organization.slug,
        rules: rules.map(({ id, name, url }) => ({ id: String(id), name, web_url: url })),
        issues: issues.map(issueEntry),
        issues_not_named: issuesLeft,
        metrics_not_named: metricsLeft,
      },
    },
  };
}

const issueEntry = ({ issue, title, culprit, cause, users, release, url }: AlertIssue) => ({
  id: String(issue.id),
  short_id: issue.shortId,
  project: issue.projectSlug,
  title,
  culprit,
  level: issue.level,
  trigger: cause,
  count: issue.timesSeen,
  user_count: users,
  first_seen: new Date(issue.firstSeen).toISOString(),
  last_seen: new Date(issue.lastSeen).toISOString(),
  release,
  web_url: url,
});

function metricBody(message: AlertMessage, metric: AlertMetric, deliveryId: string): Body {
  const { organization } = message;
  const at = new Date(metric.firedAt).toISOString();
  const isOver = metric.state === 'ok';
  return {
    ...envelope(ACTIONS[metric.state], organization.id),
    data: {
      metric_alert: {
        id: String(metric.firingId),
        identifier: String(metric.firingId),
        organization_id: String(organization.id),
        projects: [metric.projectSlug],
        title: metric.name,
        type: 2,
        status: isOver ? STATUS_CLOSED : STATUS_OPEN,
        status_method: 3,
        date_created: at,
        date_detected: at,
        date_started: at,
        date_closed: isOver ? at : null,
        alert_rule: metricRule(metric, organization.id),
      },
      description_title: metricTitle(metric),
      description_text: [
        `${metric.value === null ? 'An unknown value' : withUnit(metric.value, metric.definition)}: ${metric.condition}`,
        ...(metric.query === '' ? [] : [`Filter: ${metric.query}`]),
      ].join('\n'),
      web_url: metric.url,
      errata: {
        delivery: deliveryId,
        is_test: message.isTest,
        value: metric.value,
        measured: metric.measured,
        measured_before: metric.measuredBefore,
        organization: organization.slug,
        metrics_not_named: message.metricsLeft,
      },
    },
  };
}

/** `installation` names who sends; one organization is always the same. */
const envelope = (action: string, organizationId: number) => ({
  action,
  actor: { type: 'application', id: 'errata', name: 'Errata' },
  installation: { uuid: `00000000-0000-4000-8000-${organizationId.toString(16).padStart(12, '0')}` },
});
