import { ALERT_DEFINITION } from '#domain/alerts/alert-definition.ts';
import type {
  AlertDefinition,
  AlertFilter,
  AlertReceiver,
  AlertRule,
  IssueAlert,
  MetricAlert,
  RowMeasure,
} from '#domain/alerts/alert-rule.ts';
import { invalid, isErrataError } from '#lib/errors.ts';
import { MINUTE_MS } from '#lib/time.ts';
import type { EventRule } from '#pipeline/alerts/event-rules.ts';
import type { NumberType } from '#product/explore/rows/function-types.ts';
import { readFunction } from '#product/explore/rows/row-functions.ts';
import { isOfSessions, typeOfMeasure } from '#product/measures/describe-measure.ts';
import type { EventFilter } from '#protocol/event-filter.ts';

/** What somebody wants of a rule, checked as far as it can be without asking anybody. Throws Invalid, naming the field. */
export function parseAlertDefinition(value: unknown): AlertDefinition {
  const parsed = ALERT_DEFINITION.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = issue?.path.join('.') || 'definition';
    throw invalid(`"${field}": ${issue?.message ?? 'cannot be read'}`, field);
  }
  const definition = { ...parsed.data, receivers: distinct(parsed.data.receivers) };
  if (definition.kind === 'metric') {
    if (typeof definition.measure !== 'string') checkFunction(definition.measure);
    checkThresholds(definition);
    checkMinimum(definition);
    return definition;
  }
  for (const [index, filter] of definition.filters.entries()) {
    if (filter.kind !== 'tag' && filter.kind !== 'attribute') continue;
    if (filter.match === 'is_set' || filter.match === 'is_not_set' || filter.value.trim() !== '') continue;
    throw invalid('A tag or attribute filter needs a value to compare with', `filters.${index}.value`);
  }
  const triggers = [...new Set(definition.triggers)];
  return { ...definition, triggers: triggers.length === 0 ? ['event'] : triggers };
}

/** Whoever is named twice is notified once. */
const distinct = (receivers: readonly AlertReceiver[]): readonly AlertReceiver[] => [
  ...new Map(receivers.map((receiver) => [JSON.stringify(receiver), receiver])).values(),
];

function checkFunction({ dataset, function: written }: RowMeasure): void {
  let type: NumberType;
  try {
    ({ type } = readFunction(dataset, written));
  } catch (error) {
    if (isErrataError(error) && error.code === 'invalid') throw invalid(error.message, 'measure');
    throw error;
  }
  if (type === 'date') {
    throw invalid(`"${written}" is a time, which has no threshold: choose another function`, 'measure');
  }
}

function checkThresholds(metric: MetricAlert): void {
  const { measure, direction, comparisonMinutes, critical, warning, resolve } = metric;
  const isChange = comparisonMinutes !== undefined;
  // Nothing falls by more than all of it, unless it can be below zero; an increase has no limit.
  const isShare = isChange
    ? direction === 'below' && typeOfMeasure(measure) !== 'number'
    : typeOfMeasure(measure) === 'percentage';
  const named = { critical, warning, resolve };
  for (const [field, value] of Object.entries(named)) {
    if (value !== null && isShare && value > 100) {
      throw invalid(`"${field}" is a percentage: use at most 100`, field);
    }
  }
  // Seen from the bad side; the larger change is the worse, up or down.
  const isMore = direction === 'above' || isChange;
  const worse = (one: number, other: number) => (isMore ? one > other : one < other);
  const side = isMore ? 'below' : 'above';
  if (warning !== null && !worse(critical, warning)) {
    throw invalid(`The warning threshold must be ${side} the critical threshold (${critical})`, 'warning');
  }
  const lowest = warning ?? critical;
  if (resolve !== null && worse(resolve, lowest)) {
    throw invalid(`The resolve threshold must not be on the alerting side of ${lowest}`, 'resolve');
  }
}

function checkMinimum({ measure, minimumSessions }: MetricAlert): void {
  if (minimumSessions === undefined || isOfSessions(measure)) return;
  throw invalid('Only crash-free rates have a minimum number of sessions', 'minimumSessions');
}

/** A rule of issues. */
export type IssueRule = AlertRule & { definition: IssueAlert };

export const isIssueRule = (rule: AlertRule): rule is IssueRule => rule.definition.kind === 'issue';

/** Whether an event is all that the filter asks. */
export const isEventFilter = (filter: AlertFilter): filter is EventFilter =>
  filter.kind === 'level' || filter.kind === 'tag' || filter.kind === 'attribute';

/** Whether a filter asks the event itself. */
export const asksEvent = (filter: AlertFilter): boolean =>
  isEventFilter(filter) || filter.kind === 'latest_release';

export type CountFilter = Extract<AlertFilter, { kind: 'event_count' | 'user_count' }>;

export const isCountFilter = (filter: AlertFilter): filter is CountFilter =>
  filter.kind === 'event_count' || filter.kind === 'user_count';

/** The part of a rule that one event can answer. */
export function toEventRule({ id, updatedAt, environment, definition }: IssueRule): EventRule {
  const { triggers, filters, filterMatch, frequencyMinutes } = definition;
  return {
    ruleId: id,
    kind: triggers.includes('event') ? 'event' : 'first_seen',
    version: updatedAt,
    environment,
    filterMatch,
    filters: filters.filter(isEventFilter),
    asksIssue: !filters.every(isEventFilter),
    frequencyMs: frequencyMinutes * MINUTE_MS,
  };
}

export const isSnoozed = ({ snoozedUntil }: Pick<AlertRule, 'snoozedUntil'>, nowMs: number): boolean =>
  snoozedUntil !== null && snoozedUntil > nowMs;
