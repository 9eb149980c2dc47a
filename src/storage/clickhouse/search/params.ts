import { listParam } from '../list-param.ts';

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
    const { sql, params } = listParam(`${this.#next()}_`, type, values);
    Object.assign(this.values, params);
    return sql;
  }

  #next(): string {
    this.#count += 1;
    return `${this.#prefix}${this.#count}`;
  }
}
