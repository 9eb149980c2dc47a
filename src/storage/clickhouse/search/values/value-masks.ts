import { DAY_MS } from '#lib/time.ts';
import type { EventCondition, EventExpression, TextMatch } from '#storage/ports/search.ts';
import { OPERATORS } from '../match-events.ts';
import { likePattern, type Params } from '../params.ts';
import { ANY_EVENT, DISTINCTIVE, indexedName, indexedValue } from './indexed-fields.ts';

/**
 * What the index says of an expression, as SQL over sets of days: `possible` are the days on which there may be events
 * that match, null for any; `certain` those on which there are, unless they were taken away, null for none.
 */
export type Masks = {
  possible: string | null;
  certain: string | null;
  /** Without the index, few rows are read: other indexes know which. */
  isSelective: boolean;
};

/** Rows of the index that are needed, and the sets of days that are made of them. */
export class MaskSql {
  readonly rows: string[] = [];
  readonly sums: string[] = [];
  readonly #params: Params;

  constructor(params: Params) {
    this.#params = params;
  }

  of(expression: EventExpression): Masks {
    if (expression.kind === 'or') return this.#either(expression.parts.map((part) => this.of(part)));
    if (expression.kind === 'and') return both(expression.parts.map((part) => this.of(part)));
    const unknown = { possible: null, certain: null, isSelective: isSelective(expression) };
    const rows = this.#rowsOf(expression);
    if (!rows) return unknown;
    const certain = this.#sum(`${rows.field} AND ${rows.certain}`);
    if (rows.possible === null) return { possible: certain, certain, isSelective: false };
    return {
      possible: `bitOr(${certain}, ${this.#sum(`${rows.field} AND ${rows.possible}`)})`,
      certain,
      isSelective: false,
    };
  }

  /** Days with any event. */
  anyEvent(): string {
    return this.#sum(`field = ${this.#params.add('String', ANY_EVENT)}`);
  }

  #sum(rows: string): string {
    const name = `days${this.sums.length}`;
    this.rows.push(`(${rows})`);
    this.sums.push(`groupBitOrIf(days, ${rows}) AS ${name}`);
    return name;
  }

  #either(parts: readonly Masks[]): Masks {
    const certain = parts.flatMap((part) => part.certain ?? []);
    const possible = parts.flatMap((part) => part.possible ?? []);
    return {
      possible: possible.length < parts.length ? null : fold('bitOr', possible, 'toUInt32(0)'),
      certain: certain.length === 0 ? null : fold('bitOr', certain, 'toUInt32(0)'),
      isSelective: parts.every((part) => part.isSelective),
    };
  }

  /** Conditions on the rows of a condition; null when the index does not know it. */
  #rowsOf(condition: EventCondition): { field: string; certain: string; possible: string | null } | null {
    if (condition.kind === 'flag') {
      return {
        field: this.#isField(condition.name),
        certain: this.#isValue(String(condition.value)),
        possible: null,
      };
    }
    if (condition.kind !== 'text' && condition.kind !== 'present' && condition.kind !== 'number') return null;
    const name = indexedName(condition.field);
    if (name === null) return null;
    const field = this.#isField(name);
    if (condition.kind === 'present') {
      return condition.isNegated ? null : { field, certain: '1', possible: null };
    }
    if (condition.kind === 'number') {
      const bound = this.#params.add('Float64', condition.value);
      return {
        field,
        certain: `toFloat64OrNull(value) ${OPERATORS[condition.comparison]} ${bound}`,
        possible: this.#isValue(DISTINCTIVE),
      };
    }
    if (condition.isNegated || condition.matches.some(matchesNothing)) return null;
    return { field, ...this.#matching(name, condition.matches) };
  }

  #matching(name: string, matches: readonly TextMatch[]): { certain: string; possible: string | null } {
    const alternatives = matches.flatMap((match) => {
      if (match.kind === 'pattern') return [`value ILIKE ${this.#params.add('String', likePattern(match))}`];
      return indexedValue(name, match.text) === DISTINCTIVE ? [] : [this.#isValue(match.text)];
    });
    const distinctive = this.#params.add('String', DISTINCTIVE);
    const mayBeOther = matches.some(
      (match) => match.kind === 'pattern' || indexedValue(name, match.text) === DISTINCTIVE,
    );
    return {
      certain: alternatives.length === 0 ? '0' : `value != ${distinctive} AND (${alternatives.join(' OR ')})`,
      possible: mayBeOther ? `value = ${distinctive}` : null,
    };
  }

  #isField(name: string): string {
    return `field = ${this.#params.add('String', name)}`;
  }

  #isValue(value: string): string {
    return `value = ${this.#params.add('String', value)}`;
  }
}

/** Of several conditions, the index does not know whether the same event meets them. */
function both(parts: readonly Masks[]): Masks {
  const [only] = parts;
  if (only && parts.length === 1) return only;
  const possible = parts.flatMap((part) => part.possible ?? []);
  return {
    possible: possible.length === 0 ? null : fold('bitAnd', possible, 'toUInt32(0)'),
    certain: null,
    isSelective: parts.some((part) => part.isSelective),
  };
}

const fold = (operator: string, masks: readonly string[], none: string): string =>
  masks.length === 0 ? none : masks.reduce((left, right) => `${operator}(${left}, ${right})`);

/** What an event without any value matches as well. */
const matchesNothing = (match: TextMatch): boolean =>
  match.kind === 'exact' ? match.text === '' : match.parts.every((part) => part === '');

const SELECTIVE_COLUMNS: ReadonlySet<string> = new Set(['id', 'trace', 'user.id', 'user.email']);

/** Words, ids and users have indexes that skip most of the rows. */
function isSelective(condition: EventCondition): boolean {
  if (condition.kind === 'words') return !condition.isNegated;
  if (condition.kind === 'hashes') return !condition.isNegated;
  return (
    condition.kind === 'text' &&
    !condition.isNegated &&
    condition.field.kind === 'column' &&
    SELECTIVE_COLUMNS.has(condition.field.name)
  );
}

/** Largest value of the type Date: 1970 to 2149. */
const DAY_MAX = 65_535;

/** Days since the epoch, UTC. */
export const dayOf = (ms: number): number => Math.min(DAY_MAX, Math.max(0, Math.floor(ms / DAY_MS)));

export const startOfDay = (day: number): number => day * DAY_MS;

/** The first day of a day's month, and the bit that stands for the day in the set of its days. */
export function monthOf(day: number): { month: number; bit: number } {
  const at = new Date(day * DAY_MS);
  const month = dayOf(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1));
  return { month, bit: (1 << (day - month)) >>> 0 };
}

/** Days of a set, of the month that begins at `month`, newest first. */
export function daysOf(month: number, bits: number): readonly number[] {
  const days: number[] = [];
  for (let at = 30; at >= 0; at--) if ((bits >>> at) & 1) days.push(month + at);
  return days;
}
