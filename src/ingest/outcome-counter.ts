import { setTimeout as delay } from 'node:timers/promises';
import type { KeyAdmission } from '#domain/projects.ts';
import type { Log } from '#lib/log.ts';
import type { Category, Outcome } from '#protocol/outcome.ts';
import type { SpoolWriter } from '#storage/ports/spool.ts';
import { encodeRecord, type RecordOutcome } from './spool-record.ts';

const FLUSH_INTERVAL_MS = 1_000;
/** Different keys and reasons that may wait for the next flush. */
const ENTRIES_MAX = 5_000;
/** What a stop waits for brokers that do not answer. */
const STOP_MS_MAX = 2_000;

/**
 * Outcomes of requests that were refused, and so left no record of their own: summed up and sent through the spool, so
 * that they are counted exactly once like all others.
 */
export class OutcomeCounter {
  readonly #spool: SpoolWriter;
  readonly #log: Log;
  #pending = new Map<string, { key: KeyAdmission; outcomes: Map<string, RecordOutcome> }>();
  #entries = 0;
  #timer: NodeJS.Timeout | null = null;
  #flushing: Promise<void> | null = null;

  constructor(spool: SpoolWriter, log: Log) {
    this.#spool = spool;
    this.#log = log;
  }

  start(): void {
    this.#timer = setInterval(() => void this.flush(), FLUSH_INTERVAL_MS);
  }

  add(key: KeyAdmission, category: Category, outcome: Outcome, reason: string, quantity = 1): void {
    let entry = this.#pending.get(key.publicKey);
    if (!entry) {
      if (this.#entries >= ENTRIES_MAX) return;
      entry = { key, outcomes: new Map() };
      this.#pending.set(key.publicKey, entry);
    }
    const name = `${category} ${outcome} ${reason}`;
    const known = entry.outcomes.get(name);
    if (known) {
      known.quantity += quantity;
      return;
    }
    if (this.#entries >= ENTRIES_MAX) return;
    this.#entries += 1;
    entry.outcomes.set(name, { category, outcome, reason, quantity });
  }

  /**
   * Outcomes that the spool refuses wait for the next time, and all that are new wait meanwhile: those of which it is not
   * decided must not be sent again.
   */
  flush(): Promise<void> {
    this.#flushing ??= this.#flush().finally(() => {
      this.#flushing = null;
    });
    return this.#flushing;
  }

  async #flush(): Promise<void> {
    if (this.#pending.size === 0) return;
    const pending = [...this.#pending.values()];
    this.#pending = new Map();
    this.#entries = 0;
    const results = await Promise.allSettled(
      pending.map(({ key, outcomes }) =>
        this.#spool.append(
          encodeRecord({
            organizationId: key.organizationId,
            projectId: key.projectId,
            keyId: key.keyId,
            receivedAtMs: Date.now(),
            sentAtMs: null,
            eventId: null,
            clientIp: null,
            userAgent: null,
            isReplay: false,
            items: [],
            outcomes: [...outcomes.values()],
          }),
          null,
          { isPatient: true },
        ),
      ),
    );
    for (const [index, result] of results.entries()) {
      if (result.status === 'fulfilled') continue;
      const { key, outcomes } = pending[index]!;
      this.#log.warn(
        { error: String(result.reason), outcomes: outcomes.size },
        'Outcomes of rejected requests could not be spooled yet',
      );
      for (const { category, outcome, reason, quantity } of outcomes.values()) {
        this.add(key, category, outcome, reason, quantity);
      }
    }
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    const all = async () => {
      await this.#flushing;
      await this.flush();
    };
    await Promise.race([all(), delay(STOP_MS_MAX, undefined, { ref: false })]);
  }
}
