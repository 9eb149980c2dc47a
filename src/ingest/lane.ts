/** How many requests a lane lets through to the web role at once, and how many wait for their turn. */
export type LaneLimits = {
  totalMax: number;
  ofAddressMax: number;
  ofSessionMax: number;
  waitingMax: number;
  waitingOfAddressMax: number;
  waitMs: number;
  /** When the lane is full, a slot whose client sends slower than this may go to one that waits. */
  decentBytesPerSecond?: number;
};

export type LaneClient = {
  /** See `addressGroup`. */
  address: string;
  /** null for requests without one. */
  session: string | null;
};

export type LaneSlot = {
  /** The client does not take its answer: others who wait may have the slot. */
  setStalled(isStalled: boolean): void;
  leave(): void;
};

/** What the lane asks of whoever holds a slot. */
export type LaneUse = {
  /** Called when the slot is taken away, which then is free already. */
  giveUp(): void;
  /** How fast the client sends. */
  bytesPerSecond?(): number;
};

/** Who has too many requests under way: this client, or all together. */
export type LaneRefusal = { busy: 'address' | 'session' | 'server' };

type Holder = { client: LaneClient; use: LaneUse; isStalled: boolean };
type Waiter = { client: LaneClient; use: LaneUse; finish: (result: LaneSlot | LaneRefusal) => void };

/** How often those who wait look for a slow client. */
const LOOK_MS = 1_000;

/**
 * Shares a number of slots among clients. Who finds none waits, and the next free one goes to the address that holds
 * fewest. With `reclaims: 'oldest'` nobody waits: an address that holds more than another gives up its oldest slot. The
 * others lose one when they are stalled, or slow and of an address that holds more, and only to who waits for it.
 */
export class Lane {
  readonly #limits: LaneLimits;
  readonly #reclaims: 'stalled' | 'oldest';
  readonly #holders = new Set<Holder>();
  readonly #ofAddress = new Tally();
  readonly #ofSession = new Tally();
  readonly #waiting = new Set<Waiter>();
  readonly #waitingOfAddress = new Tally();

  constructor(limits: LaneLimits, reclaims: 'stalled' | 'oldest') {
    this.#limits = limits;
    this.#reclaims = reclaims;
  }

  get active(): number {
    return this.#holders.size;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  async enter(client: LaneClient, use: LaneUse, signal: AbortSignal): Promise<LaneSlot | LaneRefusal> {
    let busy = this.#findBusy(client);
    if (busy && this.#reclaim(client, busy)) busy = this.#findBusy(client);
    if (!busy) return this.#grant(client, use);
    const { waitingMax, waitingOfAddressMax } = this.#limits;
    if (this.#waitingOfAddress.get(client.address) >= waitingOfAddressMax) return { busy };
    if (this.#waiting.size >= waitingMax && !this.#sendAwayOne(client)) return { busy: 'server' };
    return this.#wait(client, use, signal);
  }

  /** The one who came last of the address of which most wait, when that has more than the client. */
  #sendAwayOne({ address }: LaneClient): boolean {
    const largest = this.#waitingOfAddress.findLargest();
    if (largest === null || this.#waitingOfAddress.get(largest) <= this.#waitingOfAddress.get(address) + 1) {
      return false;
    }
    const last = [...this.#waiting].findLast(({ client }) => client.address === largest);
    last?.finish({ busy: 'server' });
    return last !== undefined;
  }

  #wait(client: LaneClient, use: LaneUse, signal: AbortSignal): Promise<LaneSlot | LaneRefusal> {
    return new Promise((resolve) => {
      const finish = (result: LaneSlot | LaneRefusal) => {
        if (!this.#waiting.delete(waiter)) return;
        this.#waitingOfAddress.add(client.address, -1);
        clearTimeout(timer);
        clearInterval(looking);
        signal.removeEventListener('abort', onEnd);
        resolve(result);
      };
      const onEnd = () => finish({ busy: this.#findBusy(client) ?? 'server' });
      const waiter: Waiter = { client, use, finish };
      const timer = setTimeout(onEnd, this.#limits.waitMs);
      const look = () => {
        const victim = this.#findSlow(client, this.#findBusy(client));
        if (victim) this.#takeAway(victim);
      };
      const isLooking = this.#limits.decentBytesPerSecond !== undefined;
      const looking = isLooking ? setInterval(look, LOOK_MS) : undefined;
      signal.addEventListener('abort', onEnd);
      this.#waiting.add(waiter);
      this.#waitingOfAddress.add(client.address, 1);
      // Once it is in line, so that what comes free goes to the one who holds fewest.
      look();
    });
  }

  #findBusy({ address, session }: LaneClient): LaneRefusal['busy'] | null {
    if (session !== null && this.#ofSession.get(session) >= this.#limits.ofSessionMax) return 'session';
    if (this.#ofAddress.get(address) >= this.#limits.ofAddressMax) return 'address';
    return this.#holders.size >= this.#limits.totalMax ? 'server' : null;
  }

  #grant(client: LaneClient, use: LaneUse): LaneSlot {
    const holder: Holder = { client, use, isStalled: false };
    this.#holders.add(holder);
    this.#ofAddress.add(client.address, 1);
    if (client.session !== null) this.#ofSession.add(client.session, 1);
    return {
      setStalled: (isStalled) => {
        holder.isStalled = isStalled;
        if (isStalled && this.#isWantedByAWaiter(holder)) this.#takeAway(holder);
      },
      leave: () => this.#release(holder),
    };
  }

  #release(holder: Holder): void {
    if (!this.#holders.delete(holder)) return;
    this.#ofAddress.add(holder.client.address, -1);
    if (holder.client.session !== null) this.#ofSession.add(holder.client.session, -1);
    this.#admitNext();
  }

  #admitNext(): void {
    let next: Waiter | null = null;
    for (const waiter of this.#waiting) {
      if (this.#findBusy(waiter.client)) continue;
      if (!next || this.#held(waiter) < this.#held(next)) next = waiter;
    }
    next?.finish(this.#grant(next.client, next.use));
  }

  #held({ client }: Waiter): number {
    return this.#ofAddress.get(client.address);
  }

  /** Takes a slot from somebody for the client, when somebody has one to spare. */
  #reclaim(client: LaneClient, busy: LaneRefusal['busy']): boolean {
    const victim =
      this.#reclaims === 'stalled' ? this.#findStalled(client, busy) : this.#findGreedy(client, busy);
    if (victim) this.#takeAway(victim);
    return victim !== null;
  }

  #findStalled(client: LaneClient, busy: LaneRefusal['busy']): Holder | null {
    for (const holder of this.#holders) {
      if (holder.isStalled && isInTheWay(holder.client, client, busy)) return holder;
    }
    return null;
  }

  /** The slowest of the address that holds most among those with slow ones, when that has more than the client. */
  #findSlow({ address }: LaneClient, busy: LaneRefusal['busy'] | null): Holder | null {
    const { decentBytesPerSecond } = this.#limits;
    if (busy !== 'server' || decentBytesPerSecond === undefined) return null;
    const own = this.#ofAddress.get(address);
    let slowest: { holder: Holder; ofAddress: number; bytesPerSecond: number } | null = null;
    for (const holder of this.#holders) {
      const ofAddress = this.#ofAddress.get(holder.client.address);
      const bytesPerSecond = holder.use.bytesPerSecond?.() ?? Number.POSITIVE_INFINITY;
      if (bytesPerSecond >= decentBytesPerSecond || ofAddress <= own) continue;
      const isWorse =
        !slowest ||
        ofAddress > slowest.ofAddress ||
        (ofAddress === slowest.ofAddress && bytesPerSecond < slowest.bytesPerSecond);
      if (isWorse) slowest = { holder, ofAddress, bytesPerSecond };
    }
    return slowest?.holder ?? null;
  }

  #isWantedByAWaiter(holder: Holder): boolean {
    for (const { client } of this.#waiting) {
      const busy = this.#findBusy(client);
      if (busy && isInTheWay(holder.client, client, busy)) return true;
    }
    return false;
  }

  #findGreedy({ address }: LaneClient, busy: LaneRefusal['busy']): Holder | null {
    if (busy !== 'server') return null;
    const largest = this.#ofAddress.findLargest();
    if (largest === null || this.#ofAddress.get(largest) <= this.#ofAddress.get(address) + 1) return null;
    for (const holder of this.#holders) if (holder.client.address === largest) return holder;
    return null;
  }

  #takeAway(holder: Holder): void {
    this.#release(holder);
    holder.use.giveUp();
  }
}

/** Whether the slot of one client is what another one lacks. */
function isInTheWay(holder: LaneClient, client: LaneClient, busy: LaneRefusal['busy']): boolean {
  if (busy === 'server') return true;
  return busy === 'address' ? holder.address === client.address : holder.session === client.session;
}

class Tally {
  readonly #counts = new Map<string, number>();

  get(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: string, change: 1 | -1): void {
    const count = this.get(key) + change;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }

  findLargest(): string | null {
    let largest: string | null = null;
    for (const [key, count] of this.#counts) if (largest === null || count > this.get(largest)) largest = key;
    return largest;
  }
}
