import type { AlertFilter, AlertTrigger, MetricAlert } from '#domain/alerts/alert-rule.ts';
import {
  describeMeasure,
  formatMeasure,
  SIDES,
  typeOfMeasure,
  withUnit,
} from '#product/measures/describe-measure.ts';
import { countOf, describeMinutes } from '#product/measures/describe-minutes.ts';
import type { TextMatch } from '#protocol/event-filter.ts';

const TRIGGERS: Readonly<Record<AlertTrigger, string>> = {
  first_seen: 'A new issue is created',
  regression: 'A resolved issue regresses',
  escalation: 'An archived issue escalates',
  event: 'An event arrives in an issue',
};

export const describeTrigger = (trigger: AlertTrigger): string => TRIGGERS[trigger];

const MATCHES: Readonly<Record<TextMatch, string>> = {
  equals: 'is',
  not_equals: 'is not',
  contains: 'contains',
  not_contains: 'does not contain',
  starts_with: 'starts with',
  not_starts_with: 'does not start with',
  ends_with: 'ends with',
  not_ends_with: 'does not end with',
  is_set: 'is set',
  is_not_set: 'is not set',
  is_one_of: 'is one of',
  is_not_one_of: 'is not one of',
};

export const describeMatch = (match: TextMatch): string => MATCHES[match];

/** Of people and teams, only the number or id is known here: `nameOf` says more. */
export function describeFilter(
  filter: AlertFilter,
  nameOf: (who: { kind: 'user'; userId: string } | { kind: 'team'; teamId: number }) => string = (who) =>
    who.kind === 'user' ? who.userId : `team ${who.teamId}`,
): string {
  switch (filter.kind) {
    case 'level':
      return `The level is ${filter.level}${LEVEL_ENDS[filter.match]}`;
    case 'tag':
      return `The tag ${filter.key} ${describeText(filter)}`;
    case 'attribute':
      return `${filter.attribute} ${describeText(filter)}`;
    case 'latest_release':
      return 'The event is from the latest release';
    case 'age':
      return `The issue is ${filter.compare} than ${describeMinutes(filter.minutes)}`;
    case 'times_seen':
      return `The issue has occurred at least ${countOf(filter.atLeast, 'time')}`;
    case 'assigned':
      return `The issue is assigned to ${filter.to.kind === 'nobody' ? 'nobody' : nameOf(filter.to)}`;
    case 'category':
      return `The issue is ${CATEGORIES[filter.category]}`;
    case 'priority':
      return filter.atLeast === 'high'
        ? 'The priority is high'
        : `The priority is ${filter.atLeast} or higher`;
    case 'event_count':
      return `More than ${countOf(filter.above, 'event')} within ${describeMinutes(filter.minutes)}`;
    case 'user_count':
      return `More than ${countOf(filter.above, 'user')} affected within ${describeMinutes(filter.minutes)}`;
  }
}

const CATEGORIES = {
  error: 'an error',
  performance: 'a performance issue',
  feedback: 'feedback',
  cron: 'a failed cron job',
  uptime: 'an outage',
} as const;

const LEVEL_ENDS = { equals: '', at_least: ' or higher', at_most: ' or lower' } as const;

const describeText = ({ match, value }: { match: TextMatch; value: string }): string =>
  match === 'is_set' || match === 'is_not_set' ? MATCHES[match] : `${MATCHES[match]} ${value}`;

/** What makes it critical: `Events above 100 within 1 hour`, `Events within 1 hour more than 50% higher than 1 week earlier`. */
export function describeMetric(metric: MetricAlert): string {
  const { measure, direction, critical, windowMinutes, comparisonMinutes } = metric;
  const within = `within ${describeMinutes(windowMinutes)}`;
  if (comparisonMinutes !== undefined) {
    const change = `more than ${formatMeasure(critical)}% ${SIDES[direction]}`;
    return `${describeMeasure(measure)} ${within} ${change} than ${describeMinutes(comparisonMinutes)} earlier`;
  }
  // What is counted is named already.
  const bound =
    typeOfMeasure(measure) === 'integer' ? formatMeasure(critical) : withUnit(critical, { measure });
  return `${describeMeasure(measure)} ${direction} ${bound} ${within}`;
}
