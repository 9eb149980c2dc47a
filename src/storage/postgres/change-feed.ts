import { type Kysely, sql } from 'kysely';
import type { Client } from 'pg';
import type { Log } from '#lib/log.ts';
import type { ChangeFeed } from '#storage/ports/digest.ts';
import { connectAlone } from './database.ts';
import type { Database } from './schema.ts';

const CHANNEL = 'errata_changes';
/** Changes of this time are told together. */
const COALESCE_MS = 100;
const RECONNECT_MIN_MS = 250;
const RECONNECT_MAX_MS = 10_000;
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
  const { url, log } = options;
  const listeners = new Set<Listener>();
  const pending = new Map<number, Set<number>>();
  let client: Client | null = null;
  let isStarted = false;
  let isClosed = false;
  let reconnectMs = RECONNECT_MIN_MS;
  let reconnectTimer: NodeJS.Timeout | undefined;
  let tellTimer: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    try {
      const connected = await connectAlone(url);
      client = connected;
      connected.once('end', reconnectLater);
      connected.on('notification', ({ payload }) => collect(payload ?? ''));
      await connected.query(`LISTEN ${CHANNEL}`);
      reconnectMs = RECONNECT_MIN_MS;
      if (isClosed) await connected.end();
    } catch (error) {
      log.warn({ error: (error as Error).message }, 'The change feed has no connection to PostgreSQL');
      reconnectLater();
    }
  }

  function reconnectLater(): void {
    client = null;
    if (isClosed) return;
    clearTimeout(reconnectTimer);
    reconnectTimer = setTimeout(() => void connect(), reconnectMs);
    reconnectTimer.unref();
    reconnectMs = Math.min(reconnectMs * 2, RECONNECT_MAX_MS);
  }

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
      if (!isStarted) {
        isStarted = true;
        void connect();
      }
      return () => void listeners.delete(own);
    },

    async close() {
      isClosed = true;
      clearTimeout(reconnectTimer);
      clearTimeout(tellTimer);
      listeners.clear();
      await client?.end();
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
