import type {
  AlertFilter,
  AlertRule,
  AlertTrigger,
  FiringCause,
  MetricState,
} from '#domain/alerts/alert-rule.ts';
import { describeFilter, describeMetric, describeTrigger } from '#product/alerts/describe-alert-rule.ts';
import type { AlertAttribute } from '#protocol/event-filter.ts';

export const TRIGGER_HELP: Readonly<Record<AlertTrigger, string>> = {
  first_seen: 'The first event of the issue arrives.',
  regression: 'The issue was resolved and an event arrived since.',
  escalation: 'The condition that the issue was archived until is met.',
  event: 'Every event that matches the filters. Use this for rules that count events.',
};

export const FILTER_NAMES: Readonly<Record<AlertFilter['kind'], string>> = {
  level: 'Event level',
  tag: 'Event tag',
  attribute: 'Event attribute',
  latest_release: 'Latest release',
  event_count: 'Number of events in a period',
  user_count: 'Number of users in a period',
  times_seen: 'Number of times seen',
  age: 'Issue age',
  priority: 'Issue priority',
  assigned: 'Issue assignee',
  category: 'Issue category',
};

export const ATTRIBUTE_NAMES: Readonly<Record<AlertAttribute, string>> = {
  message: 'Message',
  platform: 'Platform',
  environment: 'Environment',
  type: 'Event type',
  'error.handled': 'Error is handled',
  'error.unhandled': 'Error is unhandled',
  'exception.type': 'Exception type',
  'exception.value': 'Exception message',
  'user.id': 'User ID',
  'user.email': 'User email',
  'user.username': 'Username',
  'user.ip_address': 'User IP address',
  'http.method': 'Request method',
  'http.url': 'Request URL',
  'http.status_code': 'Response status code',
  'sdk.name': 'SDK',
  'stacktrace.code': 'Stack trace code line',
  'stacktrace.module': 'Stack trace module',
  'stacktrace.filename': 'Stack trace filename',
  'stacktrace.abs_path': 'Stack trace absolute path',
  'stacktrace.package': 'Stack trace package',
  'device.screen_width_pixels': 'Screen width',
  'device.screen_height_pixels': 'Screen height',
  'device.screen_dpi': 'Screen DPI',
  'device.screen_density': 'Screen density',
  'app.in_foreground': 'App in foreground',
  'os.distribution_name': 'OS distribution',
  'os.distribution_version': 'OS distribution version',
};

/** Labels of what triggered a firing. */
export const CAUSE_LABELS: Readonly<Record<FiringCause, string>> = {
  first_seen: 'New',
  regression: 'Regressed',
  escalation: 'Escalating',
  event: 'Event',
  ok: 'Resolved',
  warning: 'Warning',
  critical: 'Critical',
};

export const STATE_LABELS: Readonly<Record<MetricState, string>> = {
  ok: 'OK',
  warning: 'Warning',
  critical: 'Critical',
};

/** What people and teams are called. */
type NameOf = NonNullable<Parameters<typeof describeFilter>[1]>;

/** When the rule triggers, without a full stop: "A new issue is created, if the level is error or higher". */
export function ruleSentence(
  { definition, environment }: Pick<AlertRule, 'definition' | 'environment'>,
  nameOf: NameOf,
): string {
  const where = environment === null ? '' : ` in ${environment}`;
  if (definition.kind === 'metric') {
    const of = definition.query === '' ? '' : `, filtered by ${definition.query}`;
    return `${describeMetric(definition)}${where}${of}`;
  }
  const [first = '', ...others] = definition.triggers.map(describeTrigger);
  const when = [first, ...others.map(withinSentence)].join(' or ');
  const filters = definition.filters.map((filter) => withinSentence(describeFilter(filter, nameOf)));
  if (filters.length === 0) return `${when}${where}`;
  const { before, between } = CONDITIONS[definition.filterMatch];
  return `${when}${where}${before}${filters.join(between)}`;
}

const CONDITIONS = {
  all: { before: ', if ', between: ' and ' },
  any: { before: ', if ', between: ' or ' },
  none: { before: ', unless ', between: ' or ' },
} as const;

const withinSentence = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
