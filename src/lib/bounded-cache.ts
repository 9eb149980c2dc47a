/** Keeps the results of a pure function for the inputs used last, at most `entriesMax` of them. */
export class BoundedCache<Value> {
  private readonly entriesMax: number;
  /** Least recently used first: a Map keeps the order of insertion. */
  private readonly entries = new Map<string, Value>();

  constructor(entriesMax: number) {
    this.entriesMax = entriesMax;
  }

  get size(): number {
    return this.entries.size;
  }

  getOrCompute(key: string, compute: (key: string) => Value): Value {
    const known = this.entries.has(key);
    const value = known ? (this.entries.get(key) as Value) : compute(key);
    if (known) this.entries.delete(key);
    else if (this.entries.size >= this.entriesMax)
      this.entries.delete(this.entries.keys().next().value as string);
    this.entries.set(key, value);
    return value;
  }
}
