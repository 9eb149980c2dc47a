import type { Client, QueryConfig } from 'pg';
import type { Log } from '#lib/log.ts';
import type { ArtifactFeed, ChangeFeed, NotifyFeed } from '#storage/ports/feeds.ts';
import { ARTIFACTS_CHANNEL, CHANGES_CHANNEL, type Change } from '#storage/sql/notices.ts';
import { connectAlone } from './database.ts';

/** Changes within this time are reported together. */
const COALESCE_MS = 100;

type FeedOptions = {
  url: string;
  log: Log;
  /** A connection that several feeds of a process share, who makes it closes it; without it the feed has its own. */
  connection?: ListenConnection;
};
type Feed<Message> = {
  subscribe(listener: (message: Message) => void): () => void;
  close(): Promise<void>;
};

/**
 * Listens on a connection of its own, opened by the first subscriber and reopened when it breaks. Changes made while it
 * was broken are not reported.
 */
export function createChangeFeed(options: FeedOptions): ChangeFeed & { close(): Promise<void> } {
  const pending = new Map<number, Set<number>>();
  let timer: NodeJS.Timeout | undefined;
  const feed = createFeed<Change>(options, (publish) => {
    function flush(): void {
      timer = undefined;
      const changes = [...pending];
      pending.clear();
      for (const [organizationId, projects] of changes) {
        publish({ organizationId, projectIds: [...projects] }, (error) =>
          options.log.error({ error: (error as Error).message }, 'A change feed listener failed'),
        );
      }
    }
    return {
      channel: CHANGES_CHANNEL,
      onMessage(payload) {
        const { organizationId, projectIds } = JSON.parse(payload) as Change;
        const projects = pending.get(organizationId) ?? new Set();
        for (const projectId of projectIds) projects.add(projectId);
        pending.set(organizationId, projects);
        timer ??= setTimeout(flush, COALESCE_MS);
      },
    };
  });
  return {
    subscribe: feed.subscribe,
    async close() {
      clearTimeout(timer);
      await feed.close();
    },
  };
}

/** Calls its listeners for each message of the channel, and when it begins to listen. */
export function createNotifyFeed(
  options: FeedOptions & { channel: string },
): NotifyFeed & { close(): Promise<void> } {
  return createFeed<void>(options, (publish) => ({
    channel: options.channel,
    onMessage: () => publish(),
    onListening: () => publish(),
  }));
}

export function createArtifactFeed(options: FeedOptions): ArtifactFeed & { close(): Promise<void> } {
  return createFeed<number | null>(options, (publish) => ({
    channel: ARTIFACTS_CHANNEL,
    onMessage: (payload) => publish((JSON.parse(payload) as { organizationId: number }).organizationId),
    onListening: () => publish(null),
  }));
}

/** `listen` says what the connection does; without `onError` the first listener that throws ends a publication. */
function createFeed<Message>(
  { url, log, connection: shared }: FeedOptions,
  listen: (publish: (message: Message, onError?: (error: unknown) => void) => void) => Channel,
): Feed<Message> {
  const listeners = new Set<(message: Message) => void>();
  const connection = shared ?? new ListenConnection({ url, log });
  connection.add(
    listen((message, onError) => {
      for (const listener of listeners) {
        try {
          listener(message);
        } catch (error) {
          if (!onError) throw error;
          onError(error);
        }
      }
    }),
  );
  return {
    subscribe(listener) {
      // Wrapped, so that the same function may subscribe twice.
      const own = (message: Message) => listener(message);
      listeners.add(own);
      connection.start();
      return () => void listeners.delete(own);
    },
    async close() {
      listeners.clear();
      if (!shared) await connection.close();
    },
  };
}

const RECONNECT_MIN_MS = 250;
/** A server that vanished without a word is missed after so long, and would be for a quarter of an hour by the system. */
const PING_EVERY_MS = 15_000;
const PING_MS_MAX = 5_000;
/** Longest wait before reconnecting. */
const RECONNECT_MAX_MS = 10_000;

export type Channel = {
  channel: string;
  onMessage(payload: string): void;
  /** From here on nothing is missed. */
  onListening?(): void;
};

/**
 * Listens to channels on a connection of its own from the first `start` on, and makes it again when it breaks. What is
 * told while it is broken is lost. All channels are added before.
 */
export class ListenConnection {
  readonly #url: string;
  readonly #log: Log;
  readonly #channels: Channel[] = [];
  #client: Client | null = null;
  #isStarted = false;
  #isClosed = false;
  #reconnectMs = RECONNECT_MIN_MS;
  #reconnectTimer: NodeJS.Timeout | undefined;
  #pingTimer: NodeJS.Timeout | undefined;

  constructor({ url, log }: { url: string; log: Log }) {
    this.#url = url;
    this.#log = log;
  }

  /** Throws once the connection is made: the channel would not be listened to. */
  add(channel: Channel): void {
    if (this.#isStarted) throw new Error(`${channel.channel} comes too late: the connection is made`);
    this.#channels.push(channel);
  }

  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    // After everything that is added in the same turn.
    void Promise.resolve().then(() => this.#connect());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#reconnectTimer);
    clearInterval(this.#pingTimer);
    await this.#client?.end();
  }

  async #connect(): Promise<void> {
    const names = this.#channels.map(({ channel }) => channel);
    try {
      const connected = await connectAlone(this.#url);
      this.#client = connected;
      connected.once('end', () => this.#reconnectLater());
      connected.on('notification', ({ channel, payload }) => {
        for (const each of this.#channels) if (each.channel === channel) each.onMessage(payload ?? '');
      });
      for (const name of names) await connected.query(`LISTEN ${name}`);
      clearInterval(this.#pingTimer);
      this.#pingTimer = setInterval(() => void ping(connected), PING_EVERY_MS).unref();
      this.#reconnectMs = RECONNECT_MIN_MS;
      if (this.#isClosed) await connected.end();
      else for (const each of this.#channels) each.onListening?.();
    } catch (error) {
      this.#log.warn(
        { channels: names, error: (error as Error).message },
        'The change feed has no connection to PostgreSQL',
      );
      this.#reconnectLater();
    }
  }

  #reconnectLater(): void {
    this.#client = null;
    clearInterval(this.#pingTimer);
    if (this.#isClosed) return;
    clearTimeout(this.#reconnectTimer);
    this.#reconnectTimer = setTimeout(() => void this.#connect(), this.#reconnectMs);
    this.#reconnectTimer.unref();
    this.#reconnectMs = Math.min(this.#reconnectMs * 2, RECONNECT_MAX_MS);
  }
}

/** A connection without an answer is cut, which ends it. */
async function ping(client: Client): Promise<void> {
  const query: QueryConfig & { query_timeout: number } = { text: 'SELECT 1', query_timeout: PING_MS_MAX };
  await client.query(query).catch(() => {});
}
