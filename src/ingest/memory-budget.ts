import { LIMITS } from './limits.ts';

/** What one request holds in memory, counted against the bound of all requests. */
export type MemoryLease = {
  /** Adds to what is held; a negative number gives back. Throws MemoryExceeded, and then has added nothing. */
  charge(bytes: number): void;
  /** Gives back everything. */
  end(): void;
};

/** Too much is held by all requests together. */
export class MemoryExceeded extends Error {
  constructor() {
    super('Too many requests are under way: try again later');
    this.name = 'MemoryExceeded';
  }
}

/** Bodies that the edge holds in memory, over all requests. */
export class MemoryBudget {
  readonly #bytesMax: number;
  #heldBytes = 0;

  constructor(bytesMax: number = LIMITS.inFlightBytesMax) {
    this.#bytesMax = bytesMax;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  open(): MemoryLease {
    let held = 0;
    return {
      charge: (bytes) => {
        if (bytes > 0 && this.#heldBytes + bytes > this.#bytesMax) throw new MemoryExceeded();
        held += bytes;
        this.#heldBytes += bytes;
      },
      end: () => {
        this.#heldBytes -= held;
        held = 0;
      },
    };
  }
}
