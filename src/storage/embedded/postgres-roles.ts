import pg from 'pg';
import type { Log } from '#lib/log.ts';

/** Owns the server, and is used by nothing but the start: it may read files and run programs. */
export const ADMIN_ROLE = 'errata_admin';
/** The application's: owns its database and nothing else. */
const APPLICATION_ROLE = 'errata';
export const APPLICATION_DATABASE = 'errata';
/** Exists while an older cluster is handed over: nobody can rename themselves. */
const HANDOVER_ROLE = 'errata_handover';

const AUTHENTICATION_FAILED = new Set(['28P01', '28000']);

export type RolePasswords = { admin: string; application: string };

/**
 * Sees to it that the application's role is no superuser and owns its database. In a cluster of a version before that,
 * the superuser that the cluster was made with was the application's own role: it becomes the admin, and a new role
 * with its former name and password takes over what it owned. Rejects with the connection's error while the server
 * does not take connections yet.
 */
export async function preparePostgresRoles(port: number, passwords: RolePasswords, log: Log): Promise<void> {
  const admin = await connectAs(port, ADMIN_ROLE, passwords.admin).catch(async (error: unknown) => {
    if (!AUTHENTICATION_FAILED.has((error as { code?: string }).code ?? '')) throw error;
    await handOver(port, passwords, log);
    return await connectAs(port, ADMIN_ROLE, passwords.admin);
  });
  try {
    await admin.query(`DROP ROLE IF EXISTS ${HANDOVER_ROLE}`);
    const { rowCount: hasRole } = await admin.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [
      APPLICATION_ROLE,
    ]);
    if (!hasRole) await admin.query(createRole(admin, APPLICATION_ROLE, 'LOGIN', passwords.application));
    const { rowCount: hasDatabase } = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [
      APPLICATION_DATABASE,
    ]);
    if (!hasDatabase) await admin.query(`CREATE DATABASE ${APPLICATION_DATABASE} OWNER ${APPLICATION_ROLE}`);
    await admin.query(`GRANT pg_checkpoint, pg_maintain TO ${APPLICATION_ROLE}`);
  } finally {
    await admin.end();
  }
  await letRenewLog(port, passwords.admin);
}

/** What is erased must be in no file of the log either: the application may fill them, and reads none. */
async function letRenewLog(port: number, password: string): Promise<void> {
  const admin = await connectAs(port, ADMIN_ROLE, password, APPLICATION_DATABASE);
  try {
    await admin.query(`GRANT EXECUTE ON FUNCTION pg_ls_waldir(), pg_switch_wal() TO ${APPLICATION_ROLE}`);
  } finally {
    await admin.end();
  }
}

async function handOver(port: number, passwords: RolePasswords, log: Log): Promise<void> {
  const former = await connectAs(port, APPLICATION_ROLE, passwords.application);
  try {
    const { rows } = await former.query<{ rolsuper: boolean }>(
      'SELECT rolsuper FROM pg_roles WHERE rolname = current_user',
    );
    if (!rows[0]?.rolsuper) {
      throw new Error(
        `The password of the PostgreSQL role ${ADMIN_ROLE} does not match: restore postgres-admin-password in the data directory from a backup`,
      );
    }
    log.info({ role: APPLICATION_ROLE }, "Removing superuser rights from Errata's PostgreSQL role");
    await former.query(`DROP ROLE IF EXISTS ${HANDOVER_ROLE}`);
    await former.query(createRole(former, HANDOVER_ROLE, 'SUPERUSER LOGIN', passwords.admin));
  } finally {
    await former.end();
  }
  const handover = await connectAs(port, HANDOVER_ROLE, passwords.admin, APPLICATION_DATABASE);
  try {
    await handover.query('BEGIN');
    await handover.query(`ALTER ROLE ${APPLICATION_ROLE} RENAME TO ${ADMIN_ROLE}`);
    await handover.query(`ALTER ROLE ${ADMIN_ROLE} PASSWORD ${handover.escapeLiteral(passwords.admin)}`);
    await handover.query(createRole(handover, APPLICATION_ROLE, 'LOGIN', passwords.application));
    await handover.query(`ALTER DATABASE ${APPLICATION_DATABASE} OWNER TO ${APPLICATION_ROLE}`);
    await handover.query(GIVE_EVERYTHING);
    await handover.query('COMMIT');
  } finally {
    await handover.end();
  }
}

const createRole = (client: pg.Client, name: string, options: string, password: string): string =>
  `CREATE ROLE ${name} ${options} PASSWORD ${client.escapeLiteral(password)}`;

/**
 * `REASSIGN OWNED` refuses the role that a cluster was made with. Sequences of columns follow their table; what belongs
 * to an extension stays with it.
 */
const GIVE_EVERYTHING = `
DO $$
DECLARE
  statement text;
BEGIN
  FOR statement IN
    WITH own_schemas AS (
      SELECT oid, nspname FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'
    ), kept AS (
      SELECT objid FROM pg_depend WHERE deptype = 'e' OR (classid = 'pg_class'::regclass AND deptype IN ('a', 'i') AND refobjsubid > 0)
    )
    SELECT format('ALTER SCHEMA %I OWNER TO ${APPLICATION_ROLE}', nspname) FROM own_schemas WHERE nspname <> 'public'
    UNION ALL
    SELECT format('ALTER TABLE %s OWNER TO ${APPLICATION_ROLE}', oid::regclass) FROM pg_class
     WHERE relkind IN ('r', 'p', 'v', 'm', 'S', 'f') AND relnamespace IN (SELECT oid FROM own_schemas)
       AND oid NOT IN (SELECT objid FROM kept)
    UNION ALL
    SELECT format('ALTER ROUTINE %s OWNER TO ${APPLICATION_ROLE}', oid::regprocedure) FROM pg_proc
     WHERE pronamespace IN (SELECT oid FROM own_schemas) AND oid NOT IN (SELECT objid FROM kept)
    UNION ALL
    SELECT format('ALTER TYPE %s OWNER TO ${APPLICATION_ROLE}', oid::regtype) FROM pg_type
     WHERE typtype IN ('e', 'd') AND typnamespace IN (SELECT oid FROM own_schemas)
       AND oid NOT IN (SELECT objid FROM kept)
  LOOP
    EXECUTE statement;
  END LOOP;
END
$$`;

async function connectAs(port: number, user: string, password: string, database = 'postgres') {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user,
    password,
    database,
    connectionTimeoutMillis: 2_000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
  return client;
}
