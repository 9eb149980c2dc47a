import type { AlertMeasure, FiringDigest, MetricAlert, MetricState } from '#domain/alerts/alert-rule.ts';
import type { Context } from '#product/context.ts';
import { describeMeasure, SIDES, withUnit } from '#product/measures/describe-measure.ts';
import { describeMinutes } from '#product/measures/describe-minutes.ts';
import {
  type AlertIssue,
  type AlertMessage,
  CAUSE_LABELS,
  formatValue,
  metricTitle,
  type Tone,
} from './alert-message.ts';
import { counted, utcMinute } from './escape.ts';

const PROJECTS_NAMED_MAX = 3;
/** Of an event, before what it fires. */
const SEEN_BEFORE_MS = 5 * 60_000;

/** What came together, as far as the reader may see it. */
export type AlertDigest = Pick<AlertMessage, 'issues' | 'issuesLeft' | 'metrics' | 'metricsLeft'> & {
  firings: FiringDigest;
};

export function headlineOf({ issues, issuesLeft, metrics, metricsLeft }: AlertDigest): string {
  const [issue] = issues;
  const total = issues.length + issuesLeft;
  const parts = metrics.slice(0, 1).map(metricTitle);
  const moreMetrics = metrics.length + metricsLeft - 1;
  if (moreMetrics > 0) parts.push(counted(moreMetrics, 'more metric'));
  if (total === 1 && issue) parts.push(`${CAUSE_LABELS[issue.cause]}: ${issue.title}`);
  // More than a message names is a storm.
  else if (total > 1)
    parts.push(`${issuesLeft > 0 ? 'Alert storm: ' : ''}${counted(total, 'issue')} ${inProjects(issues)}`);
  return parts.join(', ');
}

function inProjects(issues: readonly AlertIssue[]): string {
  const slugs = [...new Set(issues.map(({ issue }) => issue.projectSlug))];
  if (slugs.length > PROJECTS_NAMED_MAX) return `in ${slugs.length} projects`;
  return `in ${slugs.join(', ')}`;
}

export function introOf({ issues, issuesLeft, firings: { firstAt } }: AlertDigest): string | null {
  const named = issues.length;
  const total = named + issuesLeft;
  if (total <= 1) return null;
  const since = firstAt === null ? '' : ` since ${utcMinute(firstAt)}`;
  if (total === named) return `${counted(total, 'issue')} triggered alerts${since}.`;
  return `${counted(total, 'issue')}${since}: too many to list. The ${named} most frequent are shown.`;
}

export function toneOf({ issues, metrics }: AlertDigest): Tone {
  const tones: Tone[] = [
    ...issues.map(({ issue }): Tone => (issue.level === 'debug' ? 'info' : issue.level)),
    ...metrics.map(({ state }): Tone => (state === 'critical' ? 'fatal' : state)),
  ];
  return TONES.find((tone) => tones.includes(tone)) ?? 'info';
}

const TONES: readonly Tone[] = ['fatal', 'error', 'warning', 'info', 'ok'];

export function linkOf(
  { now, publicUrl, organization }: Pick<Context, 'now' | 'publicUrl' | 'organization'>,
  { issues, issuesLeft, metrics, firings: { firstAt } }: AlertDigest,
): AlertMessage['link'] {
  const total = issues.length + issuesLeft;
  const [issue] = issues;
  const [metric] = metrics;
  if (total === 1 && issue && !metric) return { url: issue.url, label: 'View issue' };
  if (total === 0 && metric) return { url: metric.url, label: 'View alert' };
  // Programs say when they saw it, which is a little before it fired.
  const isAllNew = issues.every(({ cause }) => cause === 'first_seen');
  const sinceMs = Math.min(
    (firstAt ?? now()) - SEEN_BEFORE_MS,
    ...(isAllNew ? issues.map((entry) => entry.issue.firstSeen) : []),
  );
  const since = new Date(sinceMs).toISOString().slice(0, 19);
  const query = `is:unresolved ${isAllNew ? 'firstSeen' : 'lastSeen'}:>=${since}`;
  const search = new URLSearchParams({ query });
  for (const slug of new Set(issues.map((entry) => entry.issue.projectSlug))) search.append('project', slug);
  return { url: `${publicUrl}/${organization.slug}/issues?${search}`, label: 'View all issues' };
}

const MEASURES: Readonly<Record<AlertMeasure, string>> = {
  events: 'events',
  users: 'users',
  crash_free_sessions: '% crash-free sessions',
  crash_free_users: '% crash-free users',
  failure_rate: '% failed transactions',
};

/** The condition that decided the state: `more than 500 events within 10 minutes`. */
export function describeMetric(definition: MetricAlert, state: MetricState): string {
  const { measure, direction, windowMinutes, comparisonMinutes } = definition;
  const threshold =
    state === 'warning' && definition.warning !== null ? definition.warning : definition.critical;
  const within = `within ${counted(windowMinutes, 'minute')}`;
  return `${state === 'ok' ? 'no longer ' : ''}${condition()}`;

  function condition(): string {
    if (comparisonMinutes !== undefined) {
      const change = `more than ${formatValue(threshold)}% ${SIDES[direction]}`;
      const earlier = `${describeMinutes(comparisonMinutes)} earlier`;
      return `${withinSentence(describeMeasure(measure))} ${within} ${change} than ${earlier}`;
    }
    if (typeof measure !== 'string') {
      return `${describeMeasure(measure)} ${direction} ${withUnit(threshold, definition)} ${within}`;
    }
    const bound = direction === 'above' ? 'more than' : 'less than';
    const separator = MEASURES[measure].startsWith('%') ? '' : ' ';
    return `${bound} ${formatValue(threshold)}${separator}${MEASURES[measure]} ${within}`;
  }
}

const withinSentence = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
