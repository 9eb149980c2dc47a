/** Rows that are known to exist, so that a batch need not ask again; the oldest are forgotten at the bound. */
export class KnownKeys<Value> {
  readonly #entriesMax: number;
  readonly #entries = new Map<string, Value>();

  constructor(entriesMax: number) {
    this.#entriesMax = entriesMax;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  set(key: string, value: Value): void {
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#entriesMax) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      break;
    }
  }

  clear(): void {
    this.#entries.clear();
  }
}
