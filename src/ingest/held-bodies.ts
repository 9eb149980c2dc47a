/** What one body holds in memory. */
export type BodyHold = {
  /** False when the body was given up for others: then nothing is held any more. */
  add(bytes: number): boolean;
  end(): void;
};

type Entry = { address: string; bytes: number; giveUp: () => void };

/**
 * Bodies in memory that wait to become complete, or for their turn. Beyond the bound the address that holds most bytes loses its oldest
 * body, so that nobody can take the memory of others.
 */
export class HeldBodies {
  readonly #bytesMax: number;
  /** Oldest first. */
  readonly #entries = new Set<Entry>();
  readonly #bytesOf = new Map<string, number>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  open(address: string, giveUp: () => void): BodyHold {
    const entry: Entry = { address, bytes: 0, giveUp };
    this.#entries.add(entry);
    return {
      add: (bytes) => {
        this.#count(entry, bytes);
        while (this.#bytes > this.#bytesMax) this.#giveUpOne();
        return this.#entries.has(entry);
      },
      end: () => this.#end(entry),
    };
  }

  #giveUpOne(): void {
    let largest = '';
    for (const [address, bytes] of this.#bytesOf) {
      if (bytes > (this.#bytesOf.get(largest) ?? 0)) largest = address;
    }
    for (const entry of this.#entries) {
      if (entry.address !== largest || entry.bytes === 0) continue;
      this.#end(entry);
      entry.giveUp();
      return;
    }
  }

  #end(entry: Entry): void {
    if (!this.#entries.delete(entry)) return;
    this.#count(entry, -entry.bytes);
  }

  #count(entry: Entry, bytes: number): void {
    entry.bytes += bytes;
    this.#bytes += bytes;
    const ofAddress = (this.#bytesOf.get(entry.address) ?? 0) + bytes;
    if (ofAddress > 0) this.#bytesOf.set(entry.address, ofAddress);
    else this.#bytesOf.delete(entry.address);
  }
}
