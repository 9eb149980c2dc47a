/** Which keys take what: a key of none of these takes text. */
export type SearchKeys = {
  readonly isDate: (name: string) => boolean;
  readonly isDuration: (name: string) => boolean;
  readonly isNumber: (name: string) => boolean;
  readonly isBoolean: (name: string) => boolean;
  readonly isPercentage: (name: string) => boolean;
  /** Texts that have an order, as versions do: they take `>` and the like. */
  readonly isOrdered: (name: string) => boolean;
};

/** The keys of events. */
export const EVENT_KEYS: SearchKeys = {
  isDate: isOneOf([
    'start',
    'end',
    'time',
    'firstSeen',
    'lastSeen',
    'last_seen()',
    'timestamp',
    'timestamp.to_hour',
    'timestamp.to_day',
    'event.timestamp',
  ]),
  isDuration: (name) => name === 'transaction.duration' || isBreakdown(name) || isVital(name),
  isNumber: (name) => isNumberName(name) || isBreakdown(name) || name.startsWith(MEASUREMENT_PREFIX),
  isBoolean: isOneOf(['error.handled', 'error.unhandled', 'stack.in_app', 'team_key_transaction']),
  isPercentage: isOneOf(['percentage']),
  isOrdered: isOneOf(['release.version', 'release.build', 'release.package', 'release.stage']),
};

/** The keys of issues: those of events, and of the status of an issue. */
export const ISSUE_KEYS: SearchKeys = {
  ...EVENT_KEYS,
  isDate: (name) => EVENT_KEYS.isDate(name) || isIssueDate(name),
  isNumber: (name) => EVENT_KEYS.isNumber(name) || isIssueNumber(name),
};

const isIssueDate = isOneOf(['age', 'first_seen', 'last_seen', 'first-seen', 'last-seen']);
const isIssueNumber = isOneOf(['timesSeen', 'times_seen', 'timesseen']);
const isNumberName = isOneOf([
  'project_id',
  'project.id',
  'issue.id',
  'stack.colno',
  'stack.lineno',
  'stack.stack_level',
  'transaction.duration',
]);

const MEASUREMENT_PREFIX = 'measurements.';
const isBreakdown = (name: string): boolean => name.startsWith('spans.');

/** Measurements that are times; the others are plain numbers. */
const VITALS: ReadonlySet<string> = new Set(
  [
    'fp',
    'fcp',
    'lcp',
    'fid',
    'inp',
    'ttfb',
    'ttfb.requesttime',
    'app_start_cold',
    'app_start_warm',
    'stall_total_time',
    'stall_longest_time',
    'time_to_initial_display',
    'time_to_full_display',
  ].map((name) => `${MEASUREMENT_PREFIX}${name}`),
);
const isVital = (name: string): boolean => VITALS.has(name);

function isOneOf(names: readonly string[]): (name: string) => boolean {
  const known: ReadonlySet<string> = new Set(names);
  return (name) => known.has(name);
}
