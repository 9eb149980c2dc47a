import type { IncomingMessage } from 'node:http';
import { MINUTE_MS } from '#lib/time.ts';
import { type BodyWatch, watchBody } from './body-watch.ts';
import { REQUEST_BOUNDS } from './request-bounds.ts';

export type HeldBody =
  /** `isWhole`: nothing follows. Otherwise the request is paused, and `watch` goes on over the rest. */
  | {
      kind: 'held';
      chunks: readonly Buffer[];
      bytes: number;
      isWhole: boolean;
      watch: BodyWatch;
      release(): void;
    }
  | { kind: 'refused'; status: 408 | 503; detail: string }
  /** The client is gone. */
  | { kind: 'gone' };

/**
 * Reads a body until it is complete or larger than `REQUEST_BOUNDS.heldBodyBytesMax`. Whoever sends slowly waits here, and holds
 * nothing but a little memory. `onLost` hears when it is given up later: its rest is too slow, or others need the memory.
 */
export function holdBody(
  message: IncomingMessage,
  holds: HeldBodies,
  address: string,
  onLost: (refusal: { status: 408 | 503; detail: string }) => void,
): Promise<HeldBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let isSettled = false;
    const settle = (result: HeldBody) => {
      if (isSettled) return;
      isSettled = true;
      message.removeListener('data', onData);
      message.removeListener('end', onEnd);
      message.removeListener('close', onClose);
      if (result.kind !== 'held') {
        watch.end();
        hold.end();
      }
      resolve(result);
    };
    const turnAway = (refusal: { status: 408 | 503; detail: string }) => {
      if (isSettled) onLost(refusal);
      else settle({ kind: 'refused', ...refusal });
    };
    const hold = holds.open(address, () =>
      turnAway({ status: 503, detail: 'Too many slow requests: try again later' }),
    );
    const watch = watchBody(
      {
        idleMs: REQUEST_BOUNDS.bodyIdleMs,
        totalMs: REQUEST_BOUNDS.proxiedBodyMs,
        bytesPerSecondMin: REQUEST_BOUNDS.proxiedBytesPerSecondMin,
      },
      (reason) => turnAway({ status: 408, detail: SLOW_DETAILS[reason] }),
    );
    const finish = (isWhole: boolean) =>
      settle({ kind: 'held', chunks, bytes, isWhole, watch, release: () => hold.end() });
    const onData = (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      watch.received(chunk.length);
      if (!hold.add(chunk.length) || bytes <= REQUEST_BOUNDS.heldBodyBytesMax) return;
      message.pause();
      finish(false);
    };
    const onEnd = () => finish(true);
    const onClose = () => settle({ kind: 'gone' });
    message.on('error', () => {});
    message.on('data', onData);
    message.on('end', onEnd);
    message.on('close', onClose);
    if (message.destroyed) onClose();
  });
}

const SLOW_DETAILS = {
  idle: `No data was received for ${REQUEST_BOUNDS.bodyIdleMs / 1000} s: send the request again`,
  slow: `The body arrived slower than ${REQUEST_BOUNDS.proxiedBytesPerSecondMin} bytes per second: send the request again`,
  total: `The body took longer than ${REQUEST_BOUNDS.proxiedBodyMs / MINUTE_MS} minutes: send less at once`,
} as const;

/** What one body holds in memory. */
type BodyHold = {
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
