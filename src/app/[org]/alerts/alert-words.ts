import type { AlertAttribute } from '#protocol/event-filter.ts';
import type {
  AlertFilter,
  AlertMeasure,
  AlertTrigger,
  FiringCause,
  MetricState,
} from '#storage/ports/alert-rules.ts';

/** What a trigger means, below its name. */
export const TRIGGER_HELP: Readonly<Record<AlertTrigger, string>> = {
  first_seen: 'Its first event arrives.',
  regression: 'It was resolved, and is back.',
  escalation: 'It was archived until something happens, and that did.',
  event: 'Each event that the filters fit; for rules that count.',
};

/** What a filter is called where one is added. */
export const FILTER_NAMES: Readonly<Record<AlertFilter['kind'], string>> = {
  level: 'Level of the event',
  tag: 'Tag of the event',
  attribute: 'Attribute of the event',
  latest_release: 'Latest release',
  event_count: 'Events of the issue in a time',
  user_count: 'Users of the issue in a time',
  times_seen: 'How often the issue happened',
  age: 'Age of the issue',
  priority: 'Priority of the issue',
  assigned: 'Whom the issue is assigned to',
  category: 'Kind of the issue',
};

export const ATTRIBUTE_NAMES: Readonly<Record<AlertAttribute, string>> = {
  message: 'Message',
  platform: 'Platform',
  environment: 'Environment',
  type: 'Type of the event',
  'error.handled': 'Was handled',
  'error.unhandled': 'Was not handled',
  'exception.type': 'Type of an exception',
  'exception.value': 'Message of an exception',
  'user.id': 'Id of the user',
  'user.email': 'E-mail address of the user',
  'user.username': 'Name of the user',
  'user.ip_address': 'IP address of the user',
  'http.method': 'Method of the request',
  'http.url': 'Address of the request',
  'http.status_code': 'Status of the answer',
  'sdk.name': 'SDK',
  'stacktrace.code': 'Line of code in the stack',
  'stacktrace.module': 'Module in the stack',
  'stacktrace.filename': 'File in the stack',
  'stacktrace.abs_path': 'Whole path in the stack',
  'stacktrace.package': 'Library in the stack',
  'device.screen_width_pixels': 'Width of the screen',
  'device.screen_height_pixels': 'Height of the screen',
  'device.screen_dpi': 'DPI of the screen',
  'device.screen_density': 'Density of the screen',
  'app.in_foreground': 'App is in the foreground',
  'os.distribution_name': 'Distribution of the system',
  'os.distribution_version': 'Version of the distribution',
};

/** What stands behind a value: "events", or "%". */
export const UNITS: Readonly<Record<AlertMeasure, string>> = {
  events: 'events',
  users: 'users',
  crash_free_sessions: '%',
  crash_free_users: '%',
  failure_rate: '%',
};

const VALUES = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

/** `99.5 %`, `1,000 events`. */
export const withUnit = (value: number, measure: AlertMeasure): string =>
  `${VALUES.format(value)} ${UNITS[measure]}`;

/** What a firing says of its issue, or of the metric. */
export const CAUSE_WORDS: Readonly<Record<FiringCause, string>> = {
  first_seen: 'New',
  regression: 'Regressed',
  escalation: 'Escalating',
  event: 'Event',
  ok: 'OK again',
  warning: 'Warning',
  critical: 'Critical',
};

export const STATE_WORDS: Readonly<Record<MetricState, string>> = {
  ok: 'OK',
  warning: 'Warning',
  critical: 'Critical',
};
