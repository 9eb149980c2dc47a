import type { Log } from '#lib/log.ts';
import type { ArtifactFeed } from '#storage/ports/artifact-feed.ts';
import { ARTIFACTS_CHANNEL } from './artifact-notices.ts';
import { ListenConnection } from './listen-connection.ts';

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
