import { type Kysely, sql } from 'kysely';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';

/** A process of a role. `machine`: its name, for people. */
export type OwnProcess = { processId: string; role: string; machine: string; version: string };

export type RoleProcess = Omit<OwnProcess, 'processId'> & {
  startedAt: number;
  /** Milliseconds since it was last heard of, by the clock of the database. */
  silentMs: number;
  /** How far its machine's clock is ahead of the database's, in milliseconds; null when it is not known. */
  clockAheadMs: number | null;
};

/** A process that did not say that it ended is forgotten after so long. */
const FORGOTTEN_MINUTES = 60;
const PROCESSES_LISTED_MAX = 1_000;

/** Who runs where, in which version, and how its clock goes. Only the clock of the database counts. Source: PostgreSQL. */
export function createRoleProcessStore(db: Kysely<Database>) {
  return {
    /** The clock of the database, in milliseconds since the epoch. */
    async readClock(): Promise<number> {
      const row = await query<{ nowMs: number }>`
        SELECT (extract(epoch FROM clock_timestamp()) * 1000)::double precision AS now_ms`.first(db);
      if (!row) throw new Error('PostgreSQL answered no row');
      return row.nowMs;
    },

    /** Says that the process lives. */
    async beat(own: OwnProcess, clockAheadMs: number | null): Promise<void> {
      const ahead =
        clockAheadMs === null ? null : Math.round(Math.max(-INT_MAX, Math.min(INT_MAX, clockAheadMs)));
      await sql`
        INSERT INTO role_processes (process_id, role, machine, version, clock_ahead_ms)
        VALUES (${own.processId}::uuid, ${own.role}, ${own.machine}, ${own.version}, ${ahead}::int)
        ON CONFLICT (process_id) DO UPDATE SET seen_at = now(), clock_ahead_ms = excluded.clock_ahead_ms`.execute(
        db,
      );
    },

    /** It ends. Forgets those that ended without a word, too. */
    async leave(processId: string): Promise<void> {
      await sql`
        DELETE FROM role_processes
        WHERE process_id = ${processId}::uuid OR seen_at < now() - make_interval(mins => ${FORGOTTEN_MINUTES})`.execute(
        db,
      );
    },

    /** Those that were heard of lately, by machine and role. Empty where one machine has stores of its own. */
    list: (): Promise<readonly RoleProcess[]> =>
      query<RoleProcess>`
        SELECT role, machine, version, started_at, clock_ahead_ms,
          (extract(epoch FROM now() - seen_at) * 1000)::double precision AS silent_ms
        FROM role_processes WHERE seen_at > now() - make_interval(mins => ${FORGOTTEN_MINUTES})
        ORDER BY machine, role, started_at LIMIT ${PROCESSES_LISTED_MAX}`.execute(db),
  };
}

const INT_MAX = 2_147_483_647;

export type RoleProcessStore = ReturnType<typeof createRoleProcessStore>;
