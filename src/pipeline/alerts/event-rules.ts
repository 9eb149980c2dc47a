import type { EventFilter } from '#protocol/event-filter.ts';
import {
  type CharacterBudget,
  type CompiledFilter,
  combineVerdicts,
  compileEventFilter,
  type FilterMatch,
  readEvent,
} from './event-filters.ts';
import type { AlertEvent } from './event-values.ts';

/** A rule that looks at each event, as far as an event can tell. */
export type EventRule = {
  ruleId: number;
  /** `first_seen`: it looks for the first event of an issue in its environment, and the filters are for later. */
  kind: 'event' | 'first_seen';
  /** When it was changed last, in milliseconds: what was found by an older one counts no more. */
  version: number;
  /** null for every one. */
  environment: string | null;
  filterMatch: FilterMatch;
  filters: readonly EventFilter[];
  /** Whether the issue must be asked as well. */
  asksIssue: boolean;
  frequencyMs: number;
};

export type CompiledEventRule = Omit<EventRule, 'filters'> & { filters: readonly CompiledFilter[] };

/**
 * `fits`: nothing else is to be asked. `open`: the filters of the event leave it to those of the issue. `unread`: there
 * was no time to look.
 */
export type EventVerdict = 'fits' | 'open' | 'unread';

/** A rule that may have to tell of an event. */
export type EventHit = { rule: CompiledEventRule; verdict: EventVerdict };

export const compileEventRule = ({ filters, ...rule }: EventRule): CompiledEventRule => ({
  ...rule,
  filters: filters.map(compileEventFilter),
});

/** Which of the rules an event may concern. Once `budget` is spent, the others are not read. */
export function findEventHits(
  rules: readonly CompiledEventRule[],
  event: AlertEvent,
  budget: CharacterBudget,
): readonly EventHit[] {
  const read = readEvent(event, budget);
  const hits: EventHit[] = [];
  for (const rule of rules) {
    if (rule.environment !== null && rule.environment !== event.environment) continue;
    const isRead = rule.kind === 'event' && budget.left > 0;
    const verdict = isRead ? judge(rule, (filter) => filter(read)) : 'unread';
    if (verdict !== null) hits.push({ rule, verdict });
  }
  return hits;
}

function judge(
  { filterMatch, filters, asksIssue }: CompiledEventRule,
  test: (filter: CompiledFilter) => boolean,
): EventVerdict | null {
  const fits = combineVerdicts(filterMatch, filters.map(test), asksIssue);
  if (fits === null) return 'open';
  return fits ? 'fits' : null;
}
