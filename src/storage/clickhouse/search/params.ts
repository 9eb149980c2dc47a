import type { TextMatch } from '#storage/ports/search.ts';
import { listParam, type SqlPart } from '../query-params.ts';

/** Collects the values of a statement, each under a name of its own. */
export class Params {
  readonly values: Record<string, unknown> = {};
  readonly #prefix: string;
  #count = 0;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  add(type: string, value: unknown): string {
    const name = this.#next();
    this.values[name] = value;
    return `{${name}:${type}}`;
  }

  addList(type: string, values: readonly unknown[]): string {
    return this.join(listParam(this.prefix(), type, values));
  }

  /** Takes the values of a part in, whose names begin with a `prefix` of these, and gives its statement. */
  join({ sql, params }: SqlPart): string {
    Object.assign(this.values, params);
    return sql;
  }

  /** Begins the names of values that are added elsewhere. */
  prefix(): string {
    return `${this.#next()}_`;
  }

  #next(): string {
    this.#count += 1;
    return `${this.#prefix}${this.#count}`;
  }
}

export const likePattern = (match: TextMatch): string =>
  match.kind === 'exact' ? escapeLike(match.text) : match.parts.map(escapeLike).join('%');

/** Of LIKE's own characters, none may mean more than itself. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

/** The id of an event or a trace as it is stored, 32 lower-case digits; for what is none, digits that nothing has. */
export function eventHash(text: string): string {
  if (text === '') return '';
  const digits = text.toLowerCase().replaceAll('-', '');
  return /^[0-9a-f]{32}$/.test(digits) ? digits : NO_ID;
}

const NO_ID = '0'.repeat(32);
