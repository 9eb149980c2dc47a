import { REQUEST_BOUNDS } from './request-bounds.ts';

/** What one request holds in memory, counted against the bound of all requests. */
export type MemoryLease = {
  /** Adds to what is held; a negative number gives back. Throws MemoryExceeded, and then has added nothing. */
  charge(bytes: number): void;
  /** While this is set, others who hold less may take everything back: `giveUp` has to let go of it at once. */
  onGivenUp(giveUp: (() => void) | null): void;
  /** Gives back everything. */
  end(): void;
};

/** Too much is held by all requests together. */
export class MemoryExceeded extends Error {
  constructor() {
    super('Too many requests in progress: try again later');
    this.name = 'MemoryExceeded';
  }
}

/** Share of the memory that one client address may hold. */
const SHARE_OF_ADDRESS_MAX = 1 / 2;

type Entry = { group: Group; bytes: number; giveUp: (() => void) | null; hasEnded: boolean };
/** What an address holds. Oldest first. */
type Group = { address: string; bytes: number; entries: Set<Entry> };

/**
 * Bodies that the edge holds in memory, over all requests. When it is full, the address that holds most loses its oldest
 * body that is still arriving to whoever holds less: no number of slow senders keeps others out.
 */
export class MemoryBudget {
  readonly #bytesMax: number;
  readonly #groups = new Map<string, Group>();
  #heldBytes = 0;

  constructor(bytesMax: number = REQUEST_BOUNDS.inFlightBytesMax) {
    this.#bytesMax = bytesMax;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** `address`: see `addressGroup`. */
  open(address: string): MemoryLease {
    const group = this.#groups.get(address) ?? { address, bytes: 0, entries: new Set() };
    this.#groups.set(address, group);
    const entry: Entry = { group, bytes: 0, giveUp: null, hasEnded: false };
    group.entries.add(entry);
    return {
      charge: (bytes) => {
        if (bytes > 0 && (entry.hasEnded || !this.#makeRoom(group, bytes))) throw new MemoryExceeded();
        if (!entry.hasEnded) this.#count(entry, bytes);
      },
      onGivenUp: (giveUp) => {
        entry.giveUp = giveUp;
      },
      end: () => this.#end(entry),
    };
  }

  #makeRoom(group: Group, bytes: number): boolean {
    if (group.bytes + bytes > this.#bytesMax * SHARE_OF_ADDRESS_MAX) return false;
    while (this.#heldBytes + bytes > this.#bytesMax) {
      const victim = this.#findVictim(group.bytes);
      if (!victim) return false;
      this.#end(victim);
      victim.giveUp?.();
    }
    return true;
  }

  /** The oldest body of the address that holds most, and more than so many bytes. */
  #findVictim(bytesMin: number): Entry | null {
    let victim: Entry | null = null;
    for (const group of this.#groups.values()) {
      if (group.bytes <= (victim?.group.bytes ?? bytesMin)) continue;
      for (const entry of group.entries) {
        if (!entry.giveUp || entry.bytes === 0) continue;
        victim = entry;
        break;
      }
    }
    return victim;
  }

  #end(entry: Entry): void {
    if (entry.hasEnded) return;
    this.#count(entry, -entry.bytes);
    entry.hasEnded = true;
    entry.group.entries.delete(entry);
    if (entry.group.entries.size === 0) this.#groups.delete(entry.group.address);
  }

  #count(entry: Entry, bytes: number): void {
    entry.bytes += bytes;
    entry.group.bytes += bytes;
    this.#heldBytes += bytes;
  }
}
