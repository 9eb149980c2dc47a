import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { KeyAdmission } from '#domain/projects.ts';
import { unavailable } from '#lib/errors.ts';
import type { Log } from '#lib/log.ts';
import { writePrivateFile } from '#lib/secret-file.ts';
import type { ProjectStore } from '#product/projects/store/project-store.ts';
import { PolledTable } from './polled-table.ts';

/** Client keys of the instance. */
const KEYS_MAX = 200_000;
/** Unknown keys are asked for again after this time at the earliest; so many of them are remembered. */
const UNKNOWN_MS = 1_000;
const UNKNOWN_MAX = 10_000;
/** Concurrent lookups of unknown keys; beyond it the edge answers that it is unavailable. */
const LOOKUPS_MAX = 20;
/** A store that takes longer to answer counts as unavailable. */
const ANSWER_MS_MAX = 3_000;

export type KeyLookup =
  | { kind: 'found'; key: KeyAdmission }
  | { kind: 'unknown' }
  /** The store is away and the key is not in our copy: nobody can say. */
  | { kind: 'unavailable' };

/**
 * The client keys of the instance in memory, refreshed from the store and kept in a file, so that the edge goes on
 * accepting when PostgreSQL is away, also across its own restart.
 */
export class KeyTable extends PolledTable {
  readonly #store: Pick<ProjectStore, 'findAdmission' | 'listAdmissions'>;
  readonly #file: string;
  readonly #onRefresh: (keys: Iterable<KeyAdmission>) => Promise<void>;
  #keys = new Map<string, KeyAdmission>();
  #unknown = new Map<string, number>();
  #lookups = new Map<string, Promise<KeyLookup>>();
  #saved = '';
  readonly #answerMsMax: number;

  /**
   * `onRefresh` is told of all keys whenever the store was asked for them; the first time before `start` resolves, unless
   * the store hangs.
   */
  constructor(
    store: Pick<ProjectStore, 'findAdmission' | 'listAdmissions'>,
    file: string,
    log: Log,
    onRefresh: (keys: Iterable<KeyAdmission>) => Promise<void> = async () => {},
    answerMsMax = ANSWER_MS_MAX,
  ) {
    super(log, 'The client keys could not be refreshed; using the last known keys');
    this.#store = store;
    this.#file = file;
    this.#onRefresh = onRefresh;
    this.#answerMsMax = answerMsMax;
  }

  /** With the kept copy while the store hangs or is away. */
  override async start(): Promise<void> {
    this.#readCopy();
    await Promise.race([this.refresh(), delay(this.#answerMsMax, undefined, { ref: false })]);
    this.poll();
  }

  /** Synchronous for a known key: the common case costs no turn of the event loop. */
  find(publicKey: string): KeyLookup | Promise<KeyLookup> {
    const key = this.#keys.get(publicKey);
    if (key) return { kind: 'found', key };
    const askedAt = this.#unknown.get(publicKey);
    if (askedAt !== undefined && performance.now() - askedAt < UNKNOWN_MS) return { kind: 'unknown' };
    const running = this.#lookups.get(publicKey);
    if (running) return running;
    if (this.#lookups.size >= LOOKUPS_MAX) return { kind: 'unavailable' };
    const lookup = this.#ask(publicKey).finally(() => this.#lookups.delete(publicKey));
    this.#lookups.set(publicKey, lookup);
    return lookup;
  }

  async #ask(publicKey: string): Promise<KeyLookup> {
    try {
      const key = await Promise.race([this.#store.findAdmission(publicKey), this.#giveUp()]);
      if (key) {
        this.#keys.set(publicKey, key);
        return { kind: 'found', key };
      }
      if (this.#unknown.size >= UNKNOWN_MAX) this.#unknown.clear();
      this.#unknown.set(publicKey, performance.now());
      return { kind: 'unknown' };
    } catch {
      return { kind: 'unavailable' };
    }
  }

  async #giveUp(): Promise<never> {
    await delay(this.#answerMsMax, undefined, { ref: false });
    throw unavailable(`The client keys were not loaded within ${this.#answerMsMax} ms`);
  }

  protected async load(): Promise<void> {
    const keys = await this.#store.listAdmissions(KEYS_MAX);
    this.#keys = new Map(keys.map((key) => [key.publicKey, key]));
    const text = JSON.stringify(keys);
    if (text !== this.#saved) {
      writePrivateFile(this.#file, text);
      this.#saved = text;
    }
    await this.#onRefresh(keys);
  }

  #readCopy(): void {
    if (!existsSync(this.#file)) return;
    try {
      const text = readFileSync(this.#file, 'utf8');
      // Copies of older versions do not say everything.
      const keys = (JSON.parse(text) as KeyAdmission[]).map((key) => ({
        ...key,
        isInternal: key.isInternal ?? false,
        quotas: key.quotas ?? [],
      }));
      this.#keys = new Map(keys.map((key) => [key.publicKey, key]));
      this.#saved = text;
    } catch (error) {
      this.log.warn({ error: String(error) }, 'The cached client keys could not be read');
    }
  }
}
