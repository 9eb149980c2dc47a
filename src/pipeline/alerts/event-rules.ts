import { LEVELS } from '#protocol/event.ts';
import type { EventFilter, TextMatch } from '#protocol/event-filter.ts';
import { type AlertEvent, attributeValues, tagValues } from './event-values.ts';

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
type EventVerdict = 'fits' | 'open' | 'unread';

/** A rule that may have to tell of an event. */
type EventHit = { rule: CompiledEventRule; verdict: EventVerdict };

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

type FilterMatch = 'all' | 'any' | 'none';

/** A filter made ready; reading an event's values is shared by all filters that look at it. */
type CompiledFilter = (event: ReadEvent) => boolean;

/** An event with what was read of it so far. `budget` is drawn on by every character that is compared. */
export type ReadEvent = {
  event: AlertEvent;
  values: Map<string, readonly string[]>;
  budget: CharacterBudget;
};

/** How many characters may still be compared. */
type CharacterBudget = { left: number };

export const readEvent = (event: AlertEvent, budget: CharacterBudget): ReadEvent => ({
  event,
  values: new Map(),
  budget,
});

export function compileEventFilter(filter: EventFilter): CompiledFilter {
  switch (filter.kind) {
    case 'level': {
      // The first level is the highest.
      const wanted = LEVELS.indexOf(filter.level);
      return ({ event }) => {
        const rank = LEVELS.indexOf(event.level);
        if (filter.match === 'equals') return rank === wanted;
        return filter.match === 'at_least' ? rank <= wanted : rank >= wanted;
      };
    }
    case 'tag': {
      const matches = compileTextMatch(filter.match, filter.value);
      return (read) => matches(valuesOf(read, `tag:${filter.key}`, () => tagValues(read.event, filter.key)));
    }
    case 'attribute': {
      const matches = compileTextMatch(filter.match, filter.value);
      return (read) =>
        matches(valuesOf(read, filter.attribute, () => attributeValues(read.event, filter.attribute)));
    }
  }
}

/**
 * What filters say together: null while it hangs on `others`, which are not known here. Of no filter at all, `all` and
 * `none` fit.
 */
export function combineVerdicts(
  match: FilterMatch,
  known: readonly boolean[],
  others: boolean,
): boolean | null {
  const decides = match === 'all' ? known.includes(false) : known.includes(true);
  if (decides) return match === 'any';
  if (others) return null;
  return match !== 'any' || known.length === 0;
}

function valuesOf(read: ReadEvent, name: string, find: () => readonly string[]): readonly string[] {
  const values = read.values.get(name) ?? find();
  read.values.set(name, values);
  for (const value of values) read.budget.left -= value.length;
  return values;
}

/** Every one takes time in proportion to the texts: there are no patterns. */
function compileTextMatch(match: TextMatch, wanted: string): (values: readonly string[]) => boolean {
  const text = wanted.toLowerCase();
  switch (match) {
    case 'is_set':
      return (values) => values.length > 0;
    case 'is_not_set':
      return (values) => values.length === 0;
    case 'equals':
      return some((value) => value === text);
    case 'not_equals':
      return none((value) => value === text);
    case 'contains':
      return some((value) => value.includes(text));
    case 'not_contains':
      return none((value) => value.includes(text));
    case 'starts_with':
      return some((value) => value.startsWith(text));
    case 'not_starts_with':
      return none((value) => value.startsWith(text));
    case 'ends_with':
      return some((value) => value.endsWith(text));
    case 'not_ends_with':
      return none((value) => value.endsWith(text));
    case 'is_one_of':
    case 'is_not_one_of': {
      const list = new Set(
        text
          .split(',')
          .map((each) => each.trim())
          .filter((each) => each !== ''),
      );
      return match === 'is_one_of' ? some((value) => list.has(value)) : none((value) => list.has(value));
    }
  }
}

const some = (test: (value: string) => boolean) => (values: readonly string[]) => values.some(test);
const none = (test: (value: string) => boolean) => (values: readonly string[]) => !values.some(test);
