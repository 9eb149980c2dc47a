import { existsSync, readFileSync } from 'node:fs';
import type { Log } from '#lib/log.ts';
import { writePrivateFile } from '#lib/secret-file.ts';
import type { KeyAdmission, ProjectStore } from '#storage/ports/projects.ts';

const KEYS_MAX = 200_000;
const REFRESH_INTERVAL_MS = 2_000;
/** Unknown keys are asked for again after this time at the earliest; so many of them are remembered. */
const UNKNOWN_MS = 1_000;
const UNKNOWN_MAX = 10_000;
/** Look-ups of unknown keys under way at once; beyond it a key counts as unknown. */
const LOOKUPS_MAX = 20;

export type KeyLookup =
  | { kind: 'found'; key: KeyAdmission }
  | { kind: 'unknown' }
  /** The store is away and the key is not in our copy: nobody can say. */
  | { kind: 'unavailable' };

/**
 * The client keys of the instance in memory, refreshed from the store and kept in a file, so that the edge goes on
 * accepting when PostgreSQL is away, also across its own restart.
 */
export class KeyTable {
  readonly #store: ProjectStore;
  readonly #file: string;
  readonly #log: Log;
  #keys = new Map<string, KeyAdmission>();
  #unknown = new Map<string, number>();
  #lookups = new Map<string, Promise<KeyLookup>>();
  #timer: NodeJS.Timeout | null = null;
  #saved = '';

  constructor(store: ProjectStore, file: string, log: Log) {
    this.#store = store;
    this.#file = file;
    this.#log = log;
  }

  async start(): Promise<void> {
    this.#load();
    await this.#refresh();
    this.#timer = setInterval(() => void this.#refresh(), REFRESH_INTERVAL_MS);
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
  }

  /** Synchronous for a known key: the common case costs no turn of the event loop. */
  find(publicKey: string): KeyLookup | Promise<KeyLookup> {
    const key = this.#keys.get(publicKey);
    if (key) return { kind: 'found', key };
    const askedAt = this.#unknown.get(publicKey);
    if (askedAt !== undefined && Date.now() - askedAt < UNKNOWN_MS) return { kind: 'unknown' };
    const running = this.#lookups.get(publicKey);
    if (running) return running;
    if (this.#lookups.size >= LOOKUPS_MAX) return { kind: 'unknown' };
    const lookup = this.#ask(publicKey).finally(() => this.#lookups.delete(publicKey));
    this.#lookups.set(publicKey, lookup);
    return lookup;
  }

  async #ask(publicKey: string): Promise<KeyLookup> {
    try {
      const key = await this.#store.findAdmission(publicKey);
      if (key) {
        this.#keys.set(publicKey, key);
        return { kind: 'found', key };
      }
      if (this.#unknown.size >= UNKNOWN_MAX) this.#unknown.clear();
      this.#unknown.set(publicKey, Date.now());
      return { kind: 'unknown' };
    } catch {
      return { kind: 'unavailable' };
    }
  }

  async #refresh(): Promise<void> {
    try {
      const keys = await this.#store.listAdmissions(KEYS_MAX);
      this.#keys = new Map(keys.map((key) => [key.publicKey, key]));
      const text = JSON.stringify(keys);
      if (text !== this.#saved) {
        writePrivateFile(this.#file, text);
        this.#saved = text;
      }
    } catch (error) {
      this.#log.warn(
        { error: String(error) },
        'The client keys could not be refreshed; the last known ones count',
      );
    }
  }

  #load(): void {
    if (!existsSync(this.#file)) return;
    try {
      const text = readFileSync(this.#file, 'utf8');
      const keys = JSON.parse(text) as KeyAdmission[];
      this.#keys = new Map(keys.map((key) => [key.publicKey, key]));
      this.#saved = text;
    } catch (error) {
      this.#log.warn({ error: String(error) }, 'The kept copy of the client keys cannot be read');
    }
  }
}
