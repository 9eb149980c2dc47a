import type { Incident } from '#product/incidents/store/incidents.ts';
import {
  type AlertMessage,
  type AlertMetric,
  type Fact,
  issueFacts,
  issueLine,
  metricFacts,
  metricTitle,
  type Tone,
} from '../alert-message.ts';
import { shorten } from '../escape.ts';
import type { FormattedPart } from '../message-content.ts';

/** Source: https://developer.pagerduty.com/docs/send-alert-event */
const SUMMARY_CHARACTERS_MAX = 1_024;

const SEVERITIES: Readonly<Record<Tone, string>> = {
  fatal: 'critical',
  error: 'error',
  warning: 'warning',
  info: 'info',
  ok: 'info',
};

/**
 * One event for each metric, which opens or resolves its incident, and one for the issues: its key is the issue's, so
 * that the same issue goes on being one incident; several together are an incident of their own.
 */
export function formatPagerDuty(message: AlertMessage, deliveryId: string): readonly FormattedPart[] {
  const metrics = message.metrics.map((metric) => metricEvent(message, metric));
  if (message.issues.length === 0) return metrics.length > 0 ? metrics : testEvents(message, deliveryId);
  const [first] = message.issues;
  const isSingle = first && message.issues.length === 1;
  const details = isSingle
    ? asRecord(issueFacts(first))
    : {
        ...Object.fromEntries(
          message.issues.map((entry) => [entry.issue.shortId, `${entry.title} (${issueLine(entry)})`]),
        ),
        ...(message.issuesLeft > 0 && { 'Not named': String(message.issuesLeft) }),
      };
  const trigger = event(message, {
    action: 'trigger',
    of: isSingle ? { kind: 'issue', id: first.issue.id } : { kind: 'message', id: deliveryId },
    summary: message.headline,
    severity: SEVERITIES[message.tone],
    component: first?.issue.projectSlug ?? message.organization.slug,
    details,
    link: message.link,
  });
  return [...metrics, trigger];
}

function metricEvent(message: AlertMessage, metric: AlertMetric): FormattedPart {
  return event(message, {
    action: metric.state === 'ok' ? 'resolve' : 'trigger',
    of: { kind: 'metric', id: metric.ruleId },
    summary: metricTitle(metric),
    severity: metric.state === 'critical' ? 'critical' : 'warning',
    component: metric.projectSlug,
    details: asRecord(metricFacts(metric)),
    link: { url: metric.url, label: 'View alert' },
  });
}

/** Nobody is to be kept awake by a test: it is resolved at once. */
function testEvents(message: AlertMessage, deliveryId: string): readonly FormattedPart[] {
  return (['trigger', 'resolve'] as const).map((action) => {
    const { body } = event(message, {
      action,
      of: { kind: 'message', id: deliveryId },
      summary: message.headline,
      severity: 'info',
      component: message.organization.slug,
      details: {},
      link: message.link,
    });
    return { body };
  });
}

/** They are over. */
export const formatClosing = (incidents: readonly Incident[]): readonly FormattedPart[] =>
  incidents.map((of) => ({
    body: { event_action: 'resolve', dedup_key: keyOf(of) },
    incident: { of, isOpen: false },
  }));

/** The same for as long as it goes on, and when it comes back. */
function keyOf({ kind, id }: Incident): string {
  return `errata-${kind}-${id}`;
}

function event(
  { at, organization }: AlertMessage,
  event: {
    action: 'trigger' | 'resolve';
    of: Incident;
    summary: string;
    severity: string | undefined;
    component: string;
    details: Readonly<Record<string, string>>;
    link: AlertMessage['link'];
  },
): FormattedPart {
  return {
    incident: { of: event.of, isOpen: event.action === 'trigger' },
    body: {
      event_action: event.action,
      dedup_key: keyOf(event.of),
      client: 'Errata',
      client_url: event.link.url,
      links: [{ href: event.link.url, text: event.link.label }],
      payload: {
        summary: shorten(event.summary, SUMMARY_CHARACTERS_MAX),
        source: organization.slug,
        severity: event.severity,
        timestamp: new Date(at).toISOString(),
        component: event.component,
        custom_details: event.details,
      },
    },
  };
}

const asRecord = (facts: readonly Fact[]): Readonly<Record<string, string>> =>
  Object.fromEntries(facts.map(({ label, text }) => [label, text]));
