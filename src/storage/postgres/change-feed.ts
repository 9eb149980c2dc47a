import type { Log } from '#lib/log.ts';
import type { ChangeFeed } from '#storage/ports/feeds.ts';
import { CHANGES_CHANNEL, type Change } from '#storage/sql/notices.ts';
import { ListenConnection } from './listen-connection.ts';

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
          log.error({ error: (error as Error).message }, 'A listener of the change feed failed');
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
