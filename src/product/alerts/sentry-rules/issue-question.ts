import { z } from 'zod';
import type { AlertTrigger, IssueAlert } from '#domain/alerts/alert-rule.ts';
import { invalid } from '#lib/errors.ts';
import { HIGH_PRIORITY, isHighPriority, type RulePart, readFilter, readTrigger } from './rule-filters.ts';

const PARTS_MAX = 50;
const FREQUENCY_MINUTES_DEFAULT = 30;
export const PART = z.looseObject({ id: z.string().max(300) });
export const PARTS = z.array(PART).max(PARTS_MAX);
export const MATCH = z.enum(['all', 'any', 'none']);
export const FREQUENCY = z.coerce.number().int();

/** What a rule looks for, without whom it notifies. */
export const ISSUE_RULE_QUESTION = z.object({
  conditions: PARTS.nullish(),
  filters: PARTS.nullish(),
  actionMatch: MATCH.default('any'),
  filterMatch: MATCH.default('all'),
  frequency: FREQUENCY.default(FREQUENCY_MINUTES_DEFAULT),
  environment: z.string().nullish(),
});

/** Triggers are in `conditions`; counts can be there or in `filters`. Throws Invalid. */
export function readQuestion(body: z.infer<typeof ISSUE_RULE_QUESTION>): Omit<IssueAlert, 'receivers'> {
  const conditions = (body.conditions ?? []).map(toPart);
  const triggers: AlertTrigger[] = [];
  const requested = new Map(
    (body.filters ?? []).map(toPart).map((part, index) => [`filters.${index}`, part]),
  );
  const high = conditions.filter(isHighPriority);
  for (const [index, part] of conditions.entries()) {
    const trigger = readTrigger(part);
    if (trigger) triggers.push(trigger);
    else if (isHighPriority(part)) triggers.push(part.id.includes('.New') ? 'first_seen' : 'escalation');
    else requested.set(`conditions.${index}`, part);
  }
  const counted = conditions.length - triggers.length;
  if (high.length > 0 && (high.length < triggers.length || body.filterMatch !== 'all')) {
    throw invalid(
      'A high-priority condition acts as both a trigger and a filter: use no other trigger with it, and set "filterMatch" to "all"',
      'conditions',
    );
  }
  checkMatch(body.actionMatch, triggers.length, counted, body.filterMatch);
  const filters = [...requested].map(([field, part]) => readFilter(part, field));
  return {
    kind: 'issue',
    // What is only counted is counted with each event.
    triggers: triggers.length === 0 ? ['event'] : [...new Set(triggers)],
    filters: high.length > 0 ? [...filters, HIGH_PRIORITY] : filters,
    filterMatch: body.filterMatch,
    frequencyMinutes: body.frequency,
  };
}

/** One trigger is enough here, and all filters apply together: other meanings that Sentry has are refused. */
function checkMatch(match: string, triggers: number, counted: number, filterMatch: string): void {
  if (match === 'none') throw invalid('"actionMatch": "none" is not supported, use "any"', 'actionMatch');
  if (match === 'all' && triggers > 1) {
    throw invalid(
      '"actionMatch": an event cannot meet two of these conditions at once, use "any"',
      'actionMatch',
    );
  }
  if (counted === 0) return;
  const isAlternative = match === 'any' && triggers + counted > 1;
  if (isAlternative || filterMatch !== 'all') {
    throw invalid(
      'Count conditions are evaluated for every event, together with the filters: create a separate rule with "actionMatch" and "filterMatch" set to "all"',
      'conditions',
    );
  }
}

const toPart = (part: z.infer<typeof PART>): RulePart => part;
