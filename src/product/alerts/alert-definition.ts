import { z } from 'zod';
import {
  ALERT_MEASURES,
  ALERT_TRIGGERS,
  type AlertDefinition,
  type AlertFilter,
  type AlertReceiver,
  type AlertRule,
  type IssueAlert,
} from '#domain/alerts/alert-rule.ts';
import { ISSUE_PRIORITIES } from '#domain/issues/issue.ts';
import { invalid } from '#lib/errors.ts';
import { MINUTE_MS } from '#lib/time.ts';
import type { EventRule } from '#pipeline/alerts/event-rules.ts';
import { LEVELS } from '#protocol/event.ts';
import { ALERT_ATTRIBUTES, type EventFilter, TEXT_MATCHES } from '#protocol/event-filter.ts';

export const FILTERS_MAX = 30;
export const RECEIVERS_MAX = 50;
/** As Sentry has them, in minutes. */
export const FREQUENCY_MINUTES_MIN = 5;
export const FREQUENCY_MINUTES_MAX = 43_200;
/** What is counted lies in so many minutes. */
export const COUNT_WINDOW_MINUTES_MAX = 43_200;
/** Of a metric: a week. */
export const METRIC_WINDOW_MINUTES_MAX = 10_080;
export const METRIC_QUERY_CHARACTERS_MAX = 2_000;
const AGE_MINUTES_MAX = 525_600;
const COUNT_MAX = 1_000_000_000;
const VALUE_CHARACTERS_MAX = 2_000;
const KEY_CHARACTERS_MAX = 200;

const count = z.number().int().min(0).max(COUNT_MAX);
const windowMinutes = z.number().int().min(1).max(COUNT_WINDOW_MINUTES_MAX);
const id = z.number().int().positive();
const userId = z.string().min(1).max(100);
const text = { match: z.enum(TEXT_MATCHES), value: z.string().max(VALUE_CHARACTERS_MAX) };

const FILTER = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('level'),
    match: z.enum(['equals', 'at_least', 'at_most']),
    level: z.enum(LEVELS),
  }),
  z.object({ kind: z.literal('tag'), key: z.string().trim().min(1).max(KEY_CHARACTERS_MAX), ...text }),
  z.object({ kind: z.literal('attribute'), attribute: z.enum(ALERT_ATTRIBUTES), ...text }),
  z.object({ kind: z.literal('latest_release') }),
  z.object({
    kind: z.literal('age'),
    compare: z.enum(['older', 'newer']),
    minutes: z.number().int().min(1).max(AGE_MINUTES_MAX),
  }),
  z.object({ kind: z.literal('times_seen'), atLeast: count }),
  z.object({
    kind: z.literal('assigned'),
    to: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('nobody') }),
      z.object({ kind: z.literal('user'), userId }),
      z.object({ kind: z.literal('team'), teamId: id }),
    ]),
  }),
  z.object({ kind: z.literal('category'), category: z.enum(['error', 'feedback']) }),
  z.object({ kind: z.literal('priority'), atLeast: z.enum(ISSUE_PRIORITIES) }),
  z.object({ kind: z.literal('event_count'), above: count, minutes: windowMinutes }),
  z.object({ kind: z.literal('user_count'), above: count, minutes: windowMinutes }),
]);

const RECEIVER = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('destination'), destinationId: id }),
  z.object({ kind: z.literal('user'), userId }),
  z.object({ kind: z.literal('team'), teamId: id }),
  z.object({ kind: z.literal('owners'), otherwise: z.enum(['members', 'nobody']) }),
]);

const receivers = z.array(RECEIVER).min(1, 'choose who to notify').max(RECEIVERS_MAX);

const ISSUE_ALERT = z.object({
  kind: z.literal('issue'),
  triggers: z.array(z.enum(ALERT_TRIGGERS)).max(ALERT_TRIGGERS.length),
  filters: z.array(FILTER).max(FILTERS_MAX),
  filterMatch: z.enum(['all', 'any', 'none']),
  frequencyMinutes: z.number().int().min(FREQUENCY_MINUTES_MIN).max(FREQUENCY_MINUTES_MAX),
  receivers,
});

const METRIC_ALERT = z.object({
  kind: z.literal('metric'),
  measure: z.enum(ALERT_MEASURES),
  query: z.string().max(METRIC_QUERY_CHARACTERS_MAX),
  windowMinutes: z.number().int().min(1).max(METRIC_WINDOW_MINUTES_MAX),
  direction: z.enum(['above', 'below']),
  critical: z.number().min(0).max(COUNT_MAX),
  warning: z.number().min(0).max(COUNT_MAX).nullable(),
  resolve: z.number().min(0).max(COUNT_MAX).nullable(),
  receivers,
});

const DEFINITION = z.discriminatedUnion('kind', [ISSUE_ALERT, METRIC_ALERT]);

/** What somebody wants of a rule, checked as far as it can be without asking anybody. Throws Invalid, naming the field. */
export function parseAlertDefinition(value: unknown): AlertDefinition {
  const parsed = DEFINITION.safeParse(value);
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

/** Whoever is named twice is told once. */
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
