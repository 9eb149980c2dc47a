import type { Client } from 'pg';
import type { Log } from '#lib/log.ts';
import type { ArtifactFeed, ChangeFeed, NotifyFeed } from '#storage/ports/feeds.ts';
import { ARTIFACTS_CHANNEL, CHANGES_CHANNEL, type Change } from '#storage/sql/notices.ts';
import { connectAlone } from './database.ts';

/** Changes of this time are told together. */
const COALESCE_MS = 100;

type Listener = Parameters<ChangeFeed['subscribe']>[0];

/**
 * Listens on a connection of its own, made by the first subscriber and made again when it breaks. What changed while
 * it was broken is not told.
 */
export function createChangeFeed(options: {
  url: string;
  log: Log;
}): ChangeFeed & { close(): Promise<void> } {
  const { log } = options;
  const listeners = new Set<Listener>();
  const pending = new Map<number, Set<number>>();
  let tellTimer: NodeJS.Timeout | undefined;
  const connection = new ListenConnection({ ...options, channel: CHANGES_CHANNEL, onMessage: collect });

  function collect(payload: string): void {
    const { organizationId, projectIds } = JSON.parse(payload) as Change;
    const projects = pending.get(organizationId) ?? new Set();
    for (const projectId of projectIds) projects.add(projectId);
    pending.set(organizationId, projects);
    tellTimer ??= setTimeout(tell, COALESCE_MS);
  }

  function tell(): void {
    tellTimer = undefined;
    const changes = [...pending];
    pending.clear();
    for (const [organizationId, projects] of changes) {
      for (const listener of listeners) {
        try {
          listener({ organizationId, projectIds: [...projects] });
        } catch (error) {
          log.error({ error: (error as Error).message }, 'A change feed listener failed');
        }
      }
    }
  }

  return {
    subscribe(listener) {
      // Wrapped, so that the same function may subscribe twice.
      const own: Listener = (change) => listener(change);
      listeners.add(own);
      connection.start();
      return () => void listeners.delete(own);
    },

    async close() {
      clearTimeout(tellTimer);
      listeners.clear();
      await connection.close();
    },
  };
}

/** Calls its listeners for each message of the channel, and when it begins to listen. */
export function createNotifyFeed(options: {
  url: string;
  channel: string;
  log: Log;
}): NotifyFeed & { close(): Promise<void> } {
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  const connection = new ListenConnection({ ...options, onMessage: tell, onListening: tell });
  return {
    subscribe(listener) {
      // Wrapped, so that the same function may subscribe twice.
      const own = () => listener();
      listeners.add(own);
      connection.start();
      return () => void listeners.delete(own);
    },

    async close() {
      listeners.clear();
      await connection.close();
    },
  };
}

export function createArtifactFeed(options: {
  url: string;
  log: Log;
}): ArtifactFeed & { close(): Promise<void> } {
  const listeners = new Set<(organizationId: number | null) => void>();
  const tell = (organizationId: number | null) => {
    for (const listener of listeners) listener(organizationId);
  };
  const connection = new ListenConnection({
    ...options,
    channel: ARTIFACTS_CHANNEL,
    onMessage: (payload) => tell((JSON.parse(payload) as { organizationId: number }).organizationId),
    onListening: () => tell(null),
  });
  return {
    subscribe(listener) {
      // Wrapped, so that the same function may subscribe twice.
      const own = (organizationId: number | null) => listener(organizationId);
      listeners.add(own);
      connection.start();
      return () => void listeners.delete(own);
    },

    async close() {
      listeners.clear();
      await connection.close();
    },
  };
}

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
