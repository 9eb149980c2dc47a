import type { Log } from '#lib/log.ts';
import type { ArtifactFeed, NotifyFeed } from '#storage/ports/feeds.ts';
import { ARTIFACTS_CHANNEL } from '#storage/sql/notices.ts';
import { ListenConnection } from './listen-connection.ts';

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
