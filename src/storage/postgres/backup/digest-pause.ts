import type { Client, QueryConfig } from 'pg';
import { conflict, unavailable } from '#lib/errors.ts';
import type { BackupLock, DigestPause } from '#storage/ports/backup-sources.ts';
import type { BatchGate } from '#storage/ports/digest.ts';
import { connectAlone } from '../database.ts';

/** Any number, as long as nothing else in the database takes an advisory lock with it. */
const PAUSE_LOCK_ID = 7_270_101;
const BACKUP_LOCK_ID = 7_270_102;
/** A batch ends within this, unless a store is away. */
const WAIT_MS_MAX = 120_000;
/** Of a server that has nothing to wait for. */
const ANSWER_MS_MAX = 10_000;

/** Loops of one process that take turns at storing never let go of the lock: after so long, who comes next waits for the others. */
const HELD_MS_MAX = 5_000;

/**
 * Digest's side: a lock that all digests share while they store a batch, over a connection of its own, so that it is
 * free again however the process ends. Several loops of a process may be inside; each that entered has to leave, once.
 */
export function createBatchGate(database: { url: string }, heldMsMax = HELD_MS_MAX): BatchGate {
  let session: Promise<Client> | null = null;
  let inside = 0;
  let heldSince = 0;
  let locked: Promise<unknown> = Promise.resolve();
  let emptied = Promise.withResolvers<void>();
  function connected(): Promise<Client> {
    if (session) return session;
    const opening = connectAlone(database.url);
    const forget = () => {
      if (session === opening) session = null;
    };
    opening.then((client) => client.on('error', forget).on('end', forget), forget);
    session = opening;
    return opening;
  }
  async function leave(): Promise<void> {
    inside -= 1;
    if (inside > 0) return;
    const { resolve } = emptied;
    const held = session;
    try {
      await (await held)?.query(within(ANSWER_MS_MAX, 'SELECT pg_advisory_unlock_shared($1)'));
    } catch {
      // Without its connection the lock is gone, too.
      if (session === held) session = null;
      await held?.then((client) => client.end()).catch(() => {});
    } finally {
      resolve();
    }
  }
  return {
    async enter() {
      while (inside > 0 && Date.now() - heldSince > heldMsMax) await emptied.promise;
      inside += 1;
      if (inside === 1) {
        heldSince = Date.now();
        emptied = Promise.withResolvers();
      }
      // A lost connection has lost the lock of those inside as well.
      if (inside === 1 || session === null) {
        locked = connected().then((client) =>
          client.query(within(2 * WAIT_MS_MAX, 'SELECT pg_advisory_lock_shared($1)')),
        );
      }
      try {
        await locked;
      } catch (error) {
        await leave();
        throw error;
      }
    },
    leave,
    async close() {
      await session?.then((client) => client.end()).catch(() => {});
    },
  };
}

/** A server that has vanished is not waited for any longer: the connection is cut, and made anew. */
const within = (answerMsMax: number, text: string): QueryConfig & { query_timeout: number } => ({
  text,
  values: [PAUSE_LOCK_ID],
  query_timeout: answerMsMax,
});

/** The other side: waits until every digest has ended its batch; those that come later wait. */
export function createDigestPause(database: { url: string }): DigestPause {
  return {
    async during(work) {
      const client = await connectAlone(database.url);
      try {
        await client.query(`SET lock_timeout = ${WAIT_MS_MAX}`);
        await waitForLock(client);
        return await work();
      } finally {
        // Ends the session, and with it the lock.
        await client.end();
      }
    },
  };
}

async function waitForLock(client: Client): Promise<void> {
  try {
    await client.query('SELECT pg_advisory_lock($1)', [PAUSE_LOCK_ID]);
  } catch (error) {
    if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error;
    throw unavailable('Digest did not end its batch: see errata status for what it waits for', error);
  }
}
const LOCK_NOT_AVAILABLE = '55P03';

/** Of the whole instance. */
export function createBackupLock(database: { url: string }): BackupLock {
  return {
    async during(work) {
      const client = await connectAlone(database.url);
      try {
        const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
          BACKUP_LOCK_ID,
        ]);
        if (!rows[0]?.taken)
          throw conflict('Another backup of this instance is being made: wait until it is done');
        return await work();
      } finally {
        await client.end();
      }
    },
  };
}
