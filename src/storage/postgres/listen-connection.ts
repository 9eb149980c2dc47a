import type { Client } from 'pg';
import type { Log } from '#lib/log.ts';
import { connectAlone } from './database.ts';

const RECONNECT_MIN_MS = 250;
const RECONNECT_MAX_MS = 10_000;

export type ListenOptions = {
  url: string;
  channel: string;
  log: Log;
  onMessage(payload: string): void;
  /** From here on nothing is missed. */
  onListening?(): void;
};

/**
 * Listens to a channel on a connection of its own from the first `start` on, and makes it again when it breaks. What is
 * told while it is broken is lost.
 */
export class ListenConnection {
  readonly #options: ListenOptions;
  #client: Client | null = null;
  #isStarted = false;
  #isClosed = false;
  #reconnectMs = RECONNECT_MIN_MS;
  #reconnectTimer: NodeJS.Timeout | undefined;

  constructor(options: ListenOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    void this.#connect();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#reconnectTimer);
    await this.#client?.end();
  }

  async #connect(): Promise<void> {
    const { url, channel, log, onMessage, onListening } = this.#options;
    try {
      const connected = await connectAlone(url);
      this.#client = connected;
      connected.once('end', () => this.#reconnectLater());
      connected.on('notification', ({ payload }) => onMessage(payload ?? ''));
      await connected.query(`LISTEN ${channel}`);
      this.#reconnectMs = RECONNECT_MIN_MS;
      if (this.#isClosed) await connected.end();
      else onListening?.();
    } catch (error) {
      log.warn(
        { channel, error: (error as Error).message },
        'The change feed has no connection to PostgreSQL',
      );
      this.#reconnectLater();
    }
  }

  #reconnectLater(): void {
    this.#client = null;
    if (this.#isClosed) return;
    clearTimeout(this.#reconnectTimer);
    this.#reconnectTimer = setTimeout(() => void this.#connect(), this.#reconnectMs);
    this.#reconnectTimer.unref();
    this.#reconnectMs = Math.min(this.#reconnectMs * 2, RECONNECT_MAX_MS);
  }
}
