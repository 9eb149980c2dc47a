import type { Pool } from 'pg';
import type { OpenSession, SessionStore } from '#storage/ports/authenticator.ts';
import type { ClientAddressResolver } from './auth-client-address.ts';

/** A page asks many times a minute whose session it is. */
const USE_NOTED_EVERY_MS = 5 * 60_000;
const SESSIONS_REMEMBERED_MAX = 10_000;
/** A person has fewer; a program that signs in again and again has not to fill the page. */
const SESSIONS_LISTED_MAX = 200;

/** Notes when a session was last used, and from where. */
export function createUseNotes(
  pool: Pool,
  addressOf: ClientAddressResolver,
  now: () => number = Date.now,
): (sessionId: string, headers: Headers) => Promise<void> {
  const notedAt = new Map<string, number>();
  return async (sessionId, headers) => {
    if (now() - (notedAt.get(sessionId) ?? 0) < USE_NOTED_EVERY_MS) return;
    if (notedAt.size >= SESSIONS_REMEMBERED_MAX) notedAt.clear();
    notedAt.set(sessionId, now());
    const address = addressOf(headers);
    await pool.query(
      `UPDATE sessions SET last_used_at = to_timestamp($2::double precision / 1000),
         ip_address = coalesce($3, ip_address) WHERE id = $1`,
      [sessionId, now(), address === 'unknown' ? null : address.replace('/64', '')],
    );
  };
}

export function createSessionStore(pool: Pool): SessionStore {
  return {
    async list(userId) {
      const { rows } = await pool.query<SessionRow>(
        `SELECT id, created_at, last_used_at, expires_at, ip_address, user_agent FROM sessions
         WHERE user_id = $1 AND expires_at > now() ORDER BY last_used_at DESC, id LIMIT ${SESSIONS_LISTED_MAX}`,
        [userId],
      );
      return rows.map(toSession);
    },

    async end(userId, sessionId) {
      const { rowCount } = await pool.query('DELETE FROM sessions WHERE user_id = $1 AND id = $2', [
        userId,
        sessionId,
      ]);
      return rowCount === 1;
    },

    async endOthers(userId, keepSessionId) {
      const { rowCount } = await pool.query('DELETE FROM sessions WHERE user_id = $1 AND id <> $2', [
        userId,
        keepSessionId,
      ]);
      return rowCount ?? 0;
    },
  };
}

type SessionRow = {
  id: string;
  created_at: Date;
  last_used_at: Date;
  expires_at: Date;
  ip_address: string | null;
  user_agent: string | null;
};

const toSession = (row: SessionRow): OpenSession => ({
  id: row.id,
  createdAt: row.created_at.getTime(),
  lastUsedAt: row.last_used_at.getTime(),
  expiresAt: row.expires_at.getTime(),
  ipAddress: row.ip_address ?? '',
  userAgent: row.user_agent ?? '',
});
