import { type Kysely, sql } from 'kysely';
import type { Log } from '#lib/log.ts';
import type { ChangeFeed } from '#storage/ports/digest.ts';
import { ListenConnection } from './listen-connection.ts';
import type { Database } from './schema.ts';

const CHANNEL = 'errata_changes';
/** Changes of this time are told together. */
const COALESCE_MS = 100;
/** PostgreSQL takes 8,000 bytes in one message; a project id has at most 16 digits and a comma. */
const PROJECTS_PER_MESSAGE_MAX = 400;

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
  const connection = new ListenConnection({ ...options, channel: CHANNEL, onMessage: collect });

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

type Change = { organizationId: number; projectIds: number[] };

/** Tells the feed of every process, once the transaction is committed. */
export async function notifyChanges(
  transaction: Kysely<Database>,
  changed: Iterable<{ organizationId: number; projectId: number }>,
): Promise<void> {
  const organizations = new Map<number, Set<number>>();
  for (const { organizationId, projectId } of changed) {
    const projects = organizations.get(organizationId) ?? new Set();
    organizations.set(organizationId, projects.add(projectId));
  }
  const messages: string[] = [];
  for (const [organizationId, projects] of organizations) {
    const projectIds = [...projects];
    for (let start = 0; start < projectIds.length; start += PROJECTS_PER_MESSAGE_MAX) {
      const change: Change = {
        organizationId,
        projectIds: projectIds.slice(start, start + PROJECTS_PER_MESSAGE_MAX),
      };
      messages.push(JSON.stringify(change));
    }
  }
  if (messages.length === 0) return;
  await sql`SELECT pg_notify(${CHANNEL}, message) FROM unnest(${messages}::text[]) AS message`.execute(
    transaction,
  );
}
