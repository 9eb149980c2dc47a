import { ALERT_DEFINITION } from '#domain/alerts/alert-definition.ts';
import type {
  AlertDefinition,
  AlertFilter,
  AlertReceiver,
  AlertRule,
  IssueAlert,
} from '#domain/alerts/alert-rule.ts';
import { invalid } from '#lib/errors.ts';
import { MINUTE_MS } from '#lib/time.ts';
import type { EventRule } from '#pipeline/alerts/event-rules.ts';
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
    checkThresholds(definition);
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

export const isShare = (measure: string): boolean => measure !== 'events' && measure !== 'users';

function checkThresholds({
  measure,
  direction,
  critical,
  warning,
  resolve,
}: Extract<AlertDefinition, { kind: 'metric' }>): void {
  const named = { critical, warning, resolve };
  for (const [field, value] of Object.entries(named)) {
    if (value !== null && isShare(measure) && value > 100) {
      throw invalid(`"${field}" is a percentage: use at most 100`, field);
    }
  }
  // Seen from the bad side.
  const worse = (one: number, other: number) => (direction === 'above' ? one > other : one < other);
  const side = direction === 'above' ? 'below' : 'above';
  if (warning !== null && !worse(critical, warning)) {
    throw invalid(`The warning threshold must be ${side} the critical threshold (${critical})`, 'warning');
  }
  const lowest = warning ?? critical;
  if (resolve !== null && worse(resolve, lowest)) {
    throw invalid(`The resolve threshold must not be on the alerting side of ${lowest}`, 'resolve');
  }
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
