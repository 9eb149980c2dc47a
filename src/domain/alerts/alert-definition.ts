import { z } from 'zod';
import { ISSUE_CATEGORIES } from '#domain/issues/category.ts';
import { ISSUE_PRIORITIES } from '#domain/issues/issue.ts';
import { LEVELS } from '#protocol/event.ts';
import { ALERT_ATTRIBUTES, TEXT_MATCHES } from '#protocol/event-filter.ts';
import { ALERT_DATASETS, ALERT_MEASURES, ALERT_TRIGGERS } from './alert-kinds.ts';

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
export const MEASURE_FUNCTION_CHARACTERS_MAX = 200;
/** What a metric is compared with lies so many minutes before it, as Sentry has it; 30 days at most. */
export const COMPARISON_MINUTES_MIN = 5;
export const COMPARISON_MINUTES_MAX = 43_200;
const AGE_MINUTES_MAX = 525_600;
const COUNT_MAX = 1_000_000_000;
const VALUE_CHARACTERS_MAX = 2_000;
const KEY_CHARACTERS_MAX = 200;

const count = z.number().int().min(0).max(COUNT_MAX);
const windowMinutes = z.number().int().min(1).max(COUNT_WINDOW_MINUTES_MAX);
const id = z.number().int().positive();
const userId = z.string().min(1).max(100);
const text = { match: z.enum(TEXT_MATCHES), value: z.string().max(VALUE_CHARACTERS_MAX) };

/** Filters that name nobody. */
export const IMPERSONAL_FILTERS = [
  // EventFilter of src/protocol/event-filter.ts: what one event answers.
  z.object({
    kind: z.literal('level'),
    match: z.enum(['equals', 'at_least', 'at_most']),
    level: z.enum(LEVELS),
  }),
  z.object({ kind: z.literal('tag'), key: z.string().trim().min(1).max(KEY_CHARACTERS_MAX), ...text }),
  z.object({ kind: z.literal('attribute'), attribute: z.enum(ALERT_ATTRIBUTES), ...text }),
  /** The event is of the newest release of its project. */
  z.object({ kind: z.literal('latest_release') }),
  /** Of the issue, as it is when the rule looks; `older` and `newer` than so many minutes. */
  z.object({
    kind: z.literal('age'),
    compare: z.enum(['older', 'newer']),
    minutes: z.number().int().min(1).max(AGE_MINUTES_MAX),
  }),
  z.object({ kind: z.literal('times_seen'), atLeast: count }),
  z.object({ kind: z.literal('category'), category: z.enum(ISSUE_CATEGORIES) }),
  z.object({ kind: z.literal('priority'), atLeast: z.enum(ISSUE_PRIORITIES) }),
  /** More than `above` events, or users, of the issue within the minutes before. */
  z.object({ kind: z.literal('event_count'), above: count, minutes: windowMinutes }),
  z.object({ kind: z.literal('user_count'), above: count, minutes: windowMinutes }),
] as const;

export const ALERT_FILTER = z.discriminatedUnion('kind', [
  ...IMPERSONAL_FILTERS,
  z.object({
    kind: z.literal('assigned'),
    to: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('nobody') }),
      z.object({ kind: z.literal('user'), userId }),
      z.object({ kind: z.literal('team'), teamId: id }),
    ]),
  }),
]);

/**
 * Whom a rule notifies; mail goes to each person, as far as they see the project and want mail about alerts. `owners`: whom
 * the issue is assigned to, else who the ownership rules name, else as `otherwise` says. `members`: of the teams that
 * have the project, of the organization when none has it.
 */
export const ALERT_RECEIVER = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('destination'), destinationId: id }),
  z.object({ kind: z.literal('user'), userId }),
  z.object({ kind: z.literal('team'), teamId: id }),
  z.object({ kind: z.literal('owners'), otherwise: z.enum(['members', 'nobody']) }),
]);

const receivers = z.array(ALERT_RECEIVER).min(1, 'choose who to notify').max(RECEIVERS_MAX).readonly();

export const ISSUE_ALERT = z.object({
  kind: z.literal('issue'),
  /** One of them is enough; none: `event`. */
  triggers: z.array(z.enum(ALERT_TRIGGERS)).max(ALERT_TRIGGERS.length).readonly(),
  filters: z.array(ALERT_FILTER).max(FILTERS_MAX).readonly(),
  filterMatch: z.enum(['all', 'any', 'none']),
  /** The same issue triggers the rule at most once in so many minutes. */
  frequencyMinutes: z.number().int().min(FREQUENCY_MINUTES_MIN).max(FREQUENCY_MINUTES_MAX),
  receivers,
});

/** A function of Explore over the rows of a dataset: `p95(span.duration)`. Shares are 0 to 100. */
const ROW_MEASURE = z.object({
  dataset: z.enum(ALERT_DATASETS),
  function: z.string().trim().min(1).max(MEASURE_FUNCTION_CHARACTERS_MAX),
});

export const METRIC_ALERT = z.object({
  kind: z.literal('metric'),
  measure: z.union([z.enum(ALERT_MEASURES), ROW_MEASURE], 'choose what to measure'),
  /** In the search language of what is measured; empty for everything. Sessions know only release and environment. */
  query: z.string().max(METRIC_QUERY_CHARACTERS_MAX),
  windowMinutes: z.number().int().min(1).max(METRIC_WINDOW_MINUTES_MAX),
  /** Which side of the thresholds is bad. */
  direction: z.enum(['above', 'below']),
  /**
   * The value is the change in percent against the window that ended so many minutes before; thresholds are percent of
   * increase, or of decrease where `below` is bad. Without it, value and thresholds are what is measured.
   */
  comparisonMinutes: z.number().int().min(COMPARISON_MINUTES_MIN).max(COMPARISON_MINUTES_MAX).optional(),
  /** A crash-free rate of fewer sessions in the window is no value: a few crashes of a few sessions say little. */
  minimumSessions: z.number().int().min(1).max(COUNT_MAX).optional(),
  critical: z.number().min(0).max(COUNT_MAX),
  warning: z.number().min(0).max(COUNT_MAX).nullable(),
  /** Back to ok on the other side of it; null: of the lowest threshold that is set. */
  resolve: z.number().min(0).max(COUNT_MAX).nullable(),
  /** Of warning or critical, and of being ok again. */
  receivers,
});

export const ALERT_DEFINITION = z.discriminatedUnion('kind', [ISSUE_ALERT, METRIC_ALERT]);
