type Entry<Value> = { value: Value; bytes: number };

/** Keeps what was used last, up to so many bytes. */
export class ByteCache<Value> {
  readonly bytesMax: number;
  readonly #entries = new Map<string, Entry<Value>>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** What is larger than the whole cache is not kept. */
  set(key: string, value: Value, bytes: number): void {
    this.#delete(key);
    if (bytes > this.bytesMax) return;
    this.#entries.set(key, { value, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.bytesMax) return;
      this.#delete(oldest);
    }
  }

  #delete(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
  }
}
