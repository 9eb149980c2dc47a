import type { AlertTrigger, MetricAlert, MetricState } from '#domain/alerts/alert-rule.ts';
import type { Issue } from '#domain/issues/issue.ts';
import { describeChange, withUnit } from '#product/measures/describe-measure.ts';
import type { StoredEvent } from '#storage/ports/events.ts';
import { counted, plainLine, utcMinute } from './escape.ts';

/**
 * What is sent, before any service's format. Texts are one line each and hold what programs sent: every format escapes
 * them its own way.
 */
export type AlertMessage = {
  /** Somebody pressed the button: nothing is wrong. */
  isTest: boolean;
  organization: { id: number; slug: string; name: string };
  /** What happened, for a notification that shows one line. */
  headline: string;
  /** More of it; null when the headline and the issues say it all. */
  intro: string | null;
  tone: Tone;
  /** Where one looks at it, and what the link says. */
  link: { url: string; label: string };
  /** The most frequent first. */
  issues: readonly AlertIssue[];
  /** Issues that are not named. */
  issuesLeft: number;
  metrics: readonly AlertMetric[];
  /** Metrics that are not named. */
  metricsLeft: number;
  /** The rules that triggered it, with where each is edited. */
  rules: readonly { id: number; name: string; url: string }[];
  /** Milliseconds since the epoch. */
  at: number;
};

export type Tone = 'fatal' | 'error' | 'warning' | 'info' | 'ok';

export type AlertIssue = {
  issue: Issue;
  cause: AlertTrigger;
  title: string;
  /** For people; empty when unknown. */
  culprit: string;
  /** `applyCoupon in cart.ts:84`; null when no stack is known. */
  crashLocation: string | null;
  /** Distinct users of the last 14 days; null when that could not be counted. */
  users: number | null;
  release: string | null;
  environment: string | null;
  /** The likeliest commit; null when none is known. */
  suspect: { subject: string; author: string; url: string | null } | null;
  url: string;
  /** What fired; null when it is gone, and where several issues are listed. */
  event: StoredEvent | null;
};

export type AlertMetric = {
  ruleId: number;
  firingId: number;
  name: string;
  projectSlug: string;
  state: MetricState;
  value: number | null;
  /** Of a change: what was measured, and what it was before; null otherwise. */
  measured: number | null;
  measuredBefore: number | null;
  definition: MetricAlert;
  /** `more than 500 events within 10 minutes` */
  condition: string;
  /** In the language of the search, on one line; empty for everything. */
  query: string;
  environment: string | null;
  url: string;
  /** Milliseconds since the epoch, as the next two. */
  firedAt: number;
  ruleCreatedAt: number;
  ruleUpdatedAt: number;
};

export type Fact = { label: string; text: string };

export const CAUSE_LABELS: Readonly<Record<AlertTrigger, string>> = {
  first_seen: 'New issue',
  regression: 'Regressed',
  escalation: 'Escalating',
  event: 'New event',
};

export const STATE_LABELS: Readonly<Record<MetricState, string>> = {
  critical: 'Critical',
  warning: 'Warning',
  ok: 'Resolved',
};

/** What a person needs to decide, each on a line. */
export function issueFacts(entry: AlertIssue): readonly Fact[] {
  const { issue, suspect } = entry;
  const users = entry.users === null || entry.users === 0 ? '' : `, ${counted(entry.users, 'user')}`;
  const owner = issue.assignee?.name ?? (issue.assigneeTeam && `#${issue.assigneeTeam.slug}`);
  return facts([
    ...monitorFacts(entry.event),
    ['Project', issue.projectSlug],
    ['Level', issue.level],
    ['Location', entry.crashLocation ?? entry.culprit],
    ['Frequency', `${counted(issue.timesSeen, 'event')}${users}`],
    ['First seen', utcMinute(issue.firstSeen)],
    ['Release', entry.release],
    ['Environment', entry.environment],
    ['Assigned to', owner],
    ['Suspect commit', suspect && `${suspect.subject} (${suspect.author})`],
  ]);
}

/** Of the evidence of a monitor that failed: what tells on a phone whether to get up. The page has all of it. */
const MONITOR_FACTS: ReadonlySet<string> = new Set([
  'Schedule',
  'Expected',
  'Last successful check-in',
  'Request',
]);
const MONITOR_FACT_CHARACTERS_MAX = 200;

function monitorFacts(event: StoredEvent | null): readonly (readonly [string, string])[] {
  const monitor = event?.payload.monitor;
  if (!monitor) return [];
  return [{ name: 'Reason', value: monitor.reason }, ...monitor.facts]
    .filter(({ name }, index) => index === 0 || MONITOR_FACTS.has(name))
    .map(({ name, value }) => [name, plainLine(value, MONITOR_FACT_CHARACTERS_MAX)]);
}

/** As `issueFacts`, where the name of the issue stands nowhere else. */
export const namedIssueFacts = (entry: AlertIssue): readonly Fact[] => [
  { label: 'Issue', text: entry.issue.shortId },
  ...issueFacts(entry),
];

export function metricFacts({
  projectSlug,
  value,
  measured,
  measuredBefore,
  definition,
  condition,
  query,
  environment,
  firedAt,
}: AlertMetric): readonly Fact[] {
  return facts([
    ['Project', projectSlug],
    ['Value', value === null ? 'unknown' : withUnit(value, definition)],
    ['Measured', describeChange({ measured, measuredBefore }, definition)],
    ['Condition', condition],
    ['Search', query],
    ['Environment', environment],
    ['Since', utcMinute(firedAt)],
  ]);
}

/** Where and how often, for one line of a list of issues. */
export function issueLine({ issue, culprit, users }: AlertIssue): string {
  const parts = [
    issue.projectSlug,
    counted(issue.timesSeen, 'event'),
    ...(users ? [counted(users, 'user')] : []),
    ...(culprit === '' ? [] : [culprit]),
  ];
  return parts.join(' · ');
}

/** `and 3 more issues`; null when all are named. */
export function describeLeft({ issuesLeft, metricsLeft }: AlertMessage): string | null {
  const left = [
    ...(metricsLeft > 0 ? [counted(metricsLeft, 'more metric')] : []),
    ...(issuesLeft > 0 ? [counted(issuesLeft, 'more issue')] : []),
  ];
  return left.length === 0 ? null : `and ${left.join(' and ')}`;
}

export const metricTitle = ({ state, name }: AlertMetric): string => `${STATE_LABELS[state]}: ${name}`;

export const formatValue = (value: number): string => String(Math.round(value * 100) / 100);

const facts = (entries: readonly (readonly [string, string | null])[]): readonly Fact[] =>
  entries.flatMap(([label, text]) => (text ? [{ label, text }] : []));
