import type {
  AlertDefinition,
  AlertFilter,
  AlertReceiver,
  AlertRule,
  AlertTrigger,
  IssueAlert,
  MetricAlert,
  MetricMeasure,
} from '#domain/alerts/alert-rule.ts';
import { isOfSessions } from '#product/measures/describe-measure.ts';

/** Of an age, in the order of the form. Minutes. */
export const AGE_UNITS = { minutes: 1, hours: 60, days: 1_440, weeks: 10_080 } as const;
export type AgeUnit = keyof typeof AGE_UNITS;

/** A filter while it is edited: `count` is its number as typed (of an age in `unit`); empty for filters without one. */
export type FilterDraft = {
  /** Of the row, unique within the form. */
  id: string;
  filter: AlertFilter;
  count: string;
  unit: AgeUnit;
};

type DraftBase = {
  name: string;
  /** Empty for every one. */
  environment: string;
  owner: AlertRule['owner'];
  receivers: readonly AlertReceiver[];
};

export type IssueDraft = DraftBase & {
  kind: 'issue';
  triggers: readonly AlertTrigger[];
  filters: readonly FilterDraft[];
  filterMatch: IssueAlert['filterMatch'];
  frequencyMinutes: number;
};

export type MetricDraft = DraftBase & {
  kind: 'metric';
  measure: MetricMeasure;
  query: string;
  windowMinutes: number;
  direction: MetricAlert['direction'];
  /** null for fixed thresholds. */
  comparisonMinutes: number | null;
  /** As typed; empty for none. */
  minimumSessions: string;
  critical: string;
  warning: string;
  resolve: string;
};

export type RuleDraft = IssueDraft | MetricDraft;

/** What the verbs take. */
type RuleInput = Pick<AlertRule, 'name' | 'environment' | 'owner'> & { definition: AlertDefinition };

/** Problems by form part: `name`, `triggers`, `filters.0`, `receivers`, `critical` … */
export type RuleProblems = Readonly<Record<string, string>>;

/** The problems of the parts of the form that have not been changed since. */
export const withoutThoseOf = (problems: RuleProblems, changed: object): RuleProblems =>
  Object.fromEntries(Object.entries(problems).filter(([part]) => !((part.split('.')[0] ?? '') in changed)));

/** The input of a draft, or its problems as far as the form can check them; the verb checks the rest. */
export function readDraft(
  draft: RuleDraft,
): { ok: true; input: RuleInput } | { ok: false; problems: RuleProblems } {
  const problems: Record<string, string> = {};
  if (draft.name.trim() === '') problems.name = 'Enter a name.';
  if (draft.receivers.length === 0) problems.receivers = 'Choose who to notify.';
  const definition = draft.kind === 'issue' ? readIssue(draft, problems) : readMetric(draft, problems);
  if (Object.keys(problems).length > 0) return { ok: false, problems };
  const { name, environment, owner } = draft;
  return { ok: true, input: { name: name.trim(), environment: environment || null, owner, definition } };
}

function readIssue(draft: IssueDraft, problems: Record<string, string>): IssueAlert {
  if (draft.triggers.length === 0) problems.triggers = 'Choose at least one trigger.';
  const filters = draft.filters.map((each, index) => {
    const problem = problemOf(each);
    if (problem !== null) problems[`filters.${index}`] = problem;
    return filled(each);
  });
  const { triggers, filterMatch, frequencyMinutes, receivers } = draft;
  return { kind: 'issue', triggers, filters, filterMatch, frequencyMinutes, receivers };
}

function problemOf({ filter, count }: FilterDraft): string | null {
  switch (filter.kind) {
    case 'tag':
      if (filter.key.trim() === '') return 'Enter a tag.';
      return needsValue(filter.match) && filter.value.trim() === '' ? 'Enter a value.' : null;
    case 'attribute':
      return needsValue(filter.match) && filter.value.trim() === '' ? 'Enter a value.' : null;
    case 'age':
      return isWhole(count) && Number(count) > 0 ? null : 'Enter a whole number greater than 0.';
    case 'times_seen':
    case 'event_count':
    case 'user_count':
      return isWhole(count) ? null : 'Enter a whole number.';
    default:
      return null;
  }
}

function filled({ filter, count, unit }: FilterDraft): AlertFilter {
  switch (filter.kind) {
    case 'age':
      return { ...filter, minutes: Number(count) * AGE_UNITS[unit] };
    case 'times_seen':
      return { ...filter, atLeast: Number(count) };
    case 'event_count':
    case 'user_count':
      return { ...filter, above: Number(count) };
    case 'tag':
      return { ...filter, key: filter.key.trim() };
    default:
      return filter;
  }
}

function readMetric(draft: MetricDraft, problems: Record<string, string>): MetricAlert {
  const critical = thresholdOf(draft, 'critical', problems);
  if (critical === null && !problems.critical) problems.critical = 'Enter a critical threshold.';
  const warning = thresholdOf(draft, 'warning', problems);
  const resolve = thresholdOf(draft, 'resolve', problems);
  const { measure, query, windowMinutes, direction, comparisonMinutes, receivers } = draft;
  const minimum = isOfSessions(measure) ? draft.minimumSessions.trim() : '';
  if (minimum !== '' && !(isWhole(minimum) && Number(minimum) > 0)) {
    problems.minimumSessions = 'Enter a whole number greater than 0, or nothing.';
  }
  return {
    kind: 'metric',
    measure,
    query: query.trim(),
    windowMinutes,
    direction,
    ...(comparisonMinutes === null ? {} : { comparisonMinutes }),
    ...(minimum === '' ? {} : { minimumSessions: Number(minimum) }),
    critical: critical ?? 0,
    warning,
    resolve,
    receivers,
  };
}

function thresholdOf(
  draft: MetricDraft,
  name: 'critical' | 'warning' | 'resolve',
  problems: Record<string, string>,
): number | null {
  const value = parseThreshold(draft[name]);
  if (typeof value !== 'string') return value;
  problems[name] = THRESHOLD_PROBLEMS[value];
  return null;
}

const THRESHOLD_PROBLEMS = {
  unreadable: 'Enter a number that is 0 or greater.',
  ambiguous: 'Enter thousands without a comma (1000) and decimals with a point (1.5).',
} as const;

/** null for an empty text; `1,000` could be a thousand as well as one. */
export function parseThreshold(text: string): number | null | keyof typeof THRESHOLD_PROBLEMS {
  const typed = text.trim();
  if (typed === '') return null;
  if (/^[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/.test(typed)) return 'ambiguous';
  return /^\d{1,12}([.,]\d{1,6})?$/.test(typed) ? Number(typed.replace(',', '.')) : 'unreadable';
}

export const needsValue = (match: string): boolean => match !== 'is_set' && match !== 'is_not_set';

const isWhole = (text: string): boolean => /^\s*\d{1,9}\s*$/.test(text);

/** The form part of a verb's field: `filters.0` for `filters.0.value`. */
export function partOf(field: string): string {
  const [name = '', index] = field.split('.');
  return name === 'filters' && index !== undefined ? `${name}.${index}` : name;
}

export function draftOfRule({
  name,
  environment,
  owner,
  definition,
}: Pick<AlertRule, 'name' | 'environment' | 'owner' | 'definition'>): RuleDraft {
  const base = { name, environment: environment ?? '', owner, receivers: definition.receivers };
  if (definition.kind === 'metric') {
    const { kind, measure, query, windowMinutes, direction, critical, warning, resolve } = definition;
    const { comparisonMinutes = null, minimumSessions } = definition;
    return {
      ...base,
      kind,
      measure,
      query,
      windowMinutes,
      direction,
      comparisonMinutes,
      minimumSessions: minimumSessions === undefined ? '' : String(minimumSessions),
      critical: String(critical),
      warning: warning === null ? '' : String(warning),
      resolve: resolve === null ? '' : String(resolve),
    };
  }
  const { kind, triggers, filters, filterMatch, frequencyMinutes } = definition;
  return {
    ...base,
    kind,
    triggers,
    filters: filters.map((filter, index) => draftOfFilter(filter, `given-${index}`)),
    filterMatch,
    frequencyMinutes,
  };
}

export function draftOfFilter(filter: AlertFilter, id: string): FilterDraft {
  const draft = { id, filter, count: '', unit: 'minutes' as const };
  switch (filter.kind) {
    case 'age': {
      const unit = largestUnit(filter.minutes);
      return { ...draft, count: String(filter.minutes / AGE_UNITS[unit]), unit };
    }
    case 'times_seen':
      return { ...draft, count: String(filter.atLeast) };
    case 'event_count':
    case 'user_count':
      return { ...draft, count: String(filter.above) };
    default:
      return draft;
  }
}

/** The largest unit of which it is a whole number. */
function largestUnit(minutes: number): AgeUnit {
  const units = Object.keys(AGE_UNITS) as AgeUnit[];
  return units.findLast((unit) => minutes % AGE_UNITS[unit] === 0) ?? 'minutes';
}
