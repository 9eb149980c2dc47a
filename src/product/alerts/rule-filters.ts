import type { AlertFilter, AlertRule, IssueAlert } from '#domain/alerts/alert-rule.ts';
import { MINUTE_MS } from '#lib/time.ts';
import type { EventRule } from '#pipeline/alerts/event-rules.ts';
import type { EventFilter } from '#protocol/event-filter.ts';

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
