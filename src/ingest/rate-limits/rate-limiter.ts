import type { KeyAdmission } from '#domain/projects.ts';
import type { Log } from '#lib/log.ts';
import { MINUTE_MS } from '#lib/time.ts';
import type { IngestSettingsStore } from '#product/ingest-settings/ingest-settings-store.ts';
import type { SharedCounts } from '#product/machines/exchange-counts.ts';
import type { AddedCount } from '#product/machines/shared-count-store.ts';
import type { Category } from '#protocol/outcome.ts';
import { type ActiveLimit, type Quota, windowStartMs } from '#protocol/rate-limits.ts';

/** Counters of open windows. Beyond it, the oldest is reset, so its quota may be exceeded once. */
const COUNTERS_MAX = 500_000;
/** Counters of windows that have passed are looked for at most this often. */
const SWEEP_INTERVAL_MS = 10_000;
/** A limit of 0 has no window to wait for: senders ask again after this time. As in relay-quotas. */
const REFUSE_ALL_MS = MINUTE_MS;

export type CountedItem = { category: Category; quantity: number };

type RateLimitResult = {
  /** One per item, in the same order. */
  allowed: readonly boolean[];
  /** The limit that refused the item, the longest if several did; null for an item that is allowed. */
  refusedBy: readonly (ActiveLimit | null)[];
  /** The limits that refused something. */
  limits: readonly ActiveLimit[];
};

/** `told`: what of `used` other edges know of, or told us; more than `used` once some of it is given back. */
type Counter = { endMs: number; used: number; told: number };

/**
 * Counts what each quota has let in, in fixed windows aligned to the clock. An item is counted in every quota that it
 * falls under, or, when one of them has no room for all of it, in none: so no window ever holds more than its limit.
 * Quantities are not split. Each edge process counts by itself, and learns what others count where they share a database.
 * What it refuses is answered with 429 by `answer-ingest.ts`.
 * Source: relay-quotas/src/is_rate_limited.lua.
 */
export class RateLimiter implements SharedCounts {
  readonly #countersMax: number;
  #counters = new Map<string, Counter>();
  #sweptAtMs = 0;

  constructor(countersMax = COUNTERS_MAX) {
    this.#countersMax = countersMax;
  }

  admit(
    { quotas }: Pick<KeyAdmission, 'quotas'>,
    items: readonly CountedItem[],
    nowMs: number,
  ): RateLimitResult {
    const refusedBy = items.map((item) => (quotas.length === 0 ? null : this.#admitOne(quotas, item, nowMs)));
    return {
      allowed: refusedBy.map((limit) => limit === null),
      refusedBy,
      limits: uniqueLimits(refusedBy.filter((limit) => limit !== null)),
    };
  }

  /** Takes back what was let in at a time, of a request that was refused after all. */
  giveBack(
    { quotas }: Pick<KeyAdmission, 'quotas'>,
    items: readonly CountedItem[],
    admittedAtMs: number,
  ): void {
    for (const { category, quantity } of items) {
      for (const quota of quotas) {
        const counter = isAbout(quota, category) ? this.#counters.get(quota.id) : undefined;
        if (counter?.endMs !== windowEndMs(quota, admittedAtMs)) continue;
        counter.used = Math.max(0, counter.used - quantity);
      }
    }
  }

  /** The limits of the key that would refuse any further item. */
  activeLimits({ quotas }: Pick<KeyAdmission, 'quotas'>, nowMs: number): ActiveLimit[] {
    return quotas.filter((quota) => !this.#hasRoom(quota, 1, nowMs)).map((quota) => toLimit(quota, nowMs));
  }

  /** The limit that would refuse any item of the category, so that it need not be read; null when there is none. */
  findRefusal(key: Pick<KeyAdmission, 'quotas'>, category: Category, nowMs: number): ActiveLimit | null {
    if (key.quotas.length === 0) return null;
    return longest(this.activeLimits(key, nowMs).filter(({ quota }) => isAbout(quota, category)));
  }

  /** What was let in before this process began. Never takes away what was counted since. */
  restore(quota: Quota, used: number, nowMs: number): void {
    if (used <= 0) return;
    const counter = this.#counter(quota, nowMs);
    counter.used += used;
    counter.told += used;
  }

  listAdded(limit: number): readonly AddedCount[] {
    const added: AddedCount[] = [];
    for (const [key, { endMs, used, told }] of this.#counters) {
      if (used !== told) added.push({ key, windowEndMs: endMs, added: used - told });
      if (added.length >= limit) break;
    }
    return added;
  }

  learn({ key, windowEndMs, added }: AddedCount, total: number): void {
    const counter = this.#counters.get(key);
    if (!counter || counter.endMs !== windowEndMs) return;
    const since = counter.used - counter.told - added;
    // What was restored at the start may be more than what is shared: from before there were several.
    counter.told = Math.max(total, counter.told + added);
    counter.used = counter.told + since;
  }

  #admitOne(
    quotas: readonly Quota[],
    { category, quantity }: CountedItem,
    nowMs: number,
  ): ActiveLimit | null {
    const matching = quotas.filter((quota) => isAbout(quota, category));
    const refusing = matching.filter((quota) => !this.#hasRoom(quota, quantity, nowMs));
    if (refusing.length > 0) return longest(refusing.map((quota) => toLimit(quota, nowMs)));
    for (const quota of matching) this.#counter(quota, nowMs).used += quantity;
    return null;
  }

  #hasRoom(quota: Quota, quantity: number, nowMs: number): boolean {
    const counter = this.#counters.get(quota.id);
    const used = counter && counter.endMs === windowEndMs(quota, nowMs) ? counter.used : 0;
    return used + quantity <= quota.limit;
  }

  #counter(quota: Quota, nowMs: number): Counter {
    const known = this.#counters.get(quota.id);
    // Another end also means that the clock was set back: a limit must not hold for as long as that.
    if (known && known.endMs === windowEndMs(quota, nowMs)) return known;
    // Taken out first, so that the order of the map is the order in which the windows began.
    this.#counters.delete(quota.id);
    this.#makeRoom(nowMs);
    const counter = { endMs: windowEndMs(quota, nowMs), used: 0, told: 0 };
    this.#counters.set(quota.id, counter);
    return counter;
  }

  #makeRoom(nowMs: number): void {
    if (this.#counters.size < this.#countersMax) return;
    if (nowMs - this.#sweptAtMs >= SWEEP_INTERVAL_MS) {
      this.#sweptAtMs = nowMs;
      for (const [id, { endMs }] of this.#counters) if (endMs <= nowMs) this.#counters.delete(id);
    }
    for (const id of this.#counters.keys()) {
      if (this.#counters.size < this.#countersMax) return;
      this.#counters.delete(id);
    }
  }
}

const windowEndMs = (quota: Quota, nowMs: number): number =>
  windowStartMs(quota, nowMs) + quota.windowSeconds * 1000;

const toLimit = (quota: Quota, nowMs: number): ActiveLimit => ({
  quota,
  untilMs: quota.limit === 0 ? nowMs + REFUSE_ALL_MS : windowEndMs(quota, nowMs),
});

const isAbout = ({ categories }: Quota, category: Category): boolean =>
  categories.length === 0 || categories.includes(category);

const longest = (limits: readonly ActiveLimit[]): ActiveLimit | null =>
  limits.reduce<ActiveLimit | null>(
    (best, limit) => (best && best.untilMs >= limit.untilMs ? best : limit),
    null,
  );

const uniqueLimits = (limits: readonly ActiveLimit[]): ActiveLimit[] => [
  ...new Map(limits.map((limit) => [limit.quota.id, limit])).values(),
];

/** Outcomes are kept by the hour: shorter windows cannot be restored, and begin anew. */
const WINDOW_SECONDS_MIN = 3_600;
/** Quotas that are asked for at once; the rest follow in further questions. */
const CHUNK = 1_000;
/** IDs remembered as counted. Beyond it, some are counted twice until their window ends. */
const DONE_MAX = 500_000;

/**
 * Gives the counters of long windows what was accepted in them before: after a restart of the edge, and when a limit is
 * new. What still waits in the spool is not counted, nor what another edge accepted since.
 */
export class CounterRestorer {
  readonly #rateLimiter: RateLimiter;
  readonly #store: Pick<IngestSettingsStore, 'countAccepted'>;
  readonly #log: Log;
  #done = new Set<string>();

  constructor(rateLimiter: RateLimiter, store: Pick<IngestSettingsStore, 'countAccepted'>, log: Log) {
    this.#rateLimiter = rateLimiter;
    this.#store = store;
    this.#log = log;
  }

  /** Never throws: while the store is away the counters begin at zero, and the next call tries again. */
  async restore(keys: Iterable<KeyAdmission>, nowMs: number): Promise<void> {
    const quotas = this.#findNew(keys);
    try {
      while (quotas.length > 0) {
        const chunk = quotas.slice(0, CHUNK);
        const used = await this.#store.countAccepted(
          chunk.map((quota) => ({ quota, fromMs: windowStartMs(quota, nowMs) })),
        );
        for (const [index, quota] of chunk.entries()) {
          this.#rateLimiter.restore(quota, used[index] ?? 0, nowMs);
        }
        quotas.splice(0, CHUNK);
      }
    } catch (error) {
      for (const { id } of quotas) this.#done.delete(id);
      this.#log.warn(
        { error: String(error) },
        'Previously accepted items could not be counted; limits start at zero',
      );
    }
  }

  #findNew(keys: Iterable<KeyAdmission>): Quota[] {
    const quotas = new Map<string, Quota>();
    for (const key of keys) {
      for (const quota of key.quotas) {
        if (quota.windowSeconds >= WINDOW_SECONDS_MIN && !this.#done.has(quota.id))
          quotas.set(quota.id, quota);
      }
    }
    if (this.#done.size + quotas.size > DONE_MAX) this.#done.clear();
    for (const id of quotas.keys()) this.#done.add(id);
    return [...quotas.values()];
  }
}
