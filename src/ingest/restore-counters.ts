import type { KeyAdmission } from '#domain/projects.ts';
import type { Log } from '#lib/log.ts';
import type { IngestSettingsStore } from '#product/ingest-settings/ingest-settings-store.ts';
import { type Quota, windowStartMs } from '#protocol/quota.ts';
import type { Admission } from './admission.ts';

/** Outcomes are kept by the hour: shorter windows cannot be restored, and begin anew. */
const WINDOW_SECONDS_MIN = 3_600;
/** Quotas that are asked for at once; the rest follow in further questions. */
const CHUNK = 1_000;
/** Ids that are remembered as done; beyond it some are asked for again, and then count twice until their window ends. */
const DONE_MAX = 500_000;

/**
 * Gives the counters of long windows what was accepted in them before: after a restart of the edge, and when a limit is
 * new. What still waits in the spool is not counted, nor what another edge accepted since.
 */
export class CounterRestorer {
  readonly #admission: Admission;
  readonly #store: Pick<IngestSettingsStore, 'countAccepted'>;
  readonly #log: Log;
  #done = new Set<string>();

  constructor(admission: Admission, store: Pick<IngestSettingsStore, 'countAccepted'>, log: Log) {
    this.#admission = admission;
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
          this.#admission.restore(quota, used[index] ?? 0, nowMs);
        }
        quotas.splice(0, CHUNK);
      }
    } catch (error) {
      for (const { id } of quotas) this.#done.delete(id);
      this.#log.warn(
        { error: String(error) },
        'What was accepted before could not be counted; limits begin at zero',
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
