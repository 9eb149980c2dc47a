import { addressGroup, clientAddress } from '#lib/client-address.ts';
import { DAY_MS, MINUTE_MS } from '#lib/time.ts';
import type { OpenSession, SessionLimits, SessionStore } from '#storage/ports/authenticator.ts';
import type { ConnectionPool } from '#storage/sql/connections.ts';
import type { Row } from '#storage/sql/schema.ts';

export const SESSION_LIMITS: SessionLimits = { idleMsMax: 7 * DAY_MS, ageMsMax: 30 * DAY_MS };

/** A page asks many times a minute whose session it is. */
const USE_NOTED_EVERY_MS = 5 * MINUTE_MS;
/** Sessions whose last use is remembered in memory. */
const SESSIONS_REMEMBERED_MAX = 10_000;
/** Sessions listed for one person. */
const SESSIONS_LISTED_MAX = 200;

/** What a session keeps of where it is used: an IPv4 address, or the first address of an IPv6 network. null when unknown. */
function sessionAddress(headers: Headers): string | null {
  const address = clientAddress(headers);
  return address === null ? null : addressGroup(address).replace('/64', '');
}

/** The library notes the address of a session from the headers; it must be the one that we keep. */
export function withSessionAddress(headers: Headers): Headers {
  const changed = new Headers(headers);
  const address = sessionAddress(headers);
  if (address === null) changed.delete('x-forwarded-for');
  else changed.set('x-forwarded-for', address);
  return changed;
}

/** Notes when a session was last used, and from where. */
export function createUseNotes(
  pool: ConnectionPool,
  now: () => number = Date.now,
): (sessionId: string, headers: Headers) => Promise<void> {
  const notedAt = new Map<string, number>();
  return async (sessionId, headers) => {
    if (now() - (notedAt.get(sessionId) ?? 0) < USE_NOTED_EVERY_MS) return;
    if (notedAt.size >= SESSIONS_REMEMBERED_MAX) notedAt.clear();
    notedAt.set(sessionId, now());
    await pool.query(
      `UPDATE sessions SET last_used_at = to_timestamp($2::double precision / 1000),
         ip_address = coalesce($3, ip_address) WHERE id = $1`,
      [sessionId, now(), sessionAddress(headers)],
    );
  };
}

export function createSessionStore(
  pool: ConnectionPool,
  limits: SessionLimits = SESSION_LIMITS,
  now: () => number = Date.now,
): SessionStore & { isOver(session: { createdAt: Date; lastUsedAt: Date }): boolean } {
  const bounds = () => [now() - limits.idleMsMax, now() - limits.ageMsMax];
  return {
    limits,

    isOver({ createdAt, lastUsedAt }) {
      const [usedAfter = 0, madeAfter = 0] = bounds();
      return lastUsedAt.getTime() <= usedAfter || createdAt.getTime() <= madeAfter;
    },

    async isOpen(sessionId) {
      const { rowCount } = await pool.query(
        `SELECT FROM sessions WHERE id = $1 AND ${isOpenSince('$2', '$3')}`,
        [sessionId, ...bounds()],
      );
      return rowCount === 1;
    },

    async list(userId) {
      const { rows } = await pool.query<SessionRow>(
        `SELECT id, created_at, last_used_at, expires_at, ip_address, user_agent FROM sessions
         WHERE user_id = $1 AND ${isOpenSince('$2', '$3')}
         ORDER BY last_used_at DESC, id LIMIT ${SESSIONS_LISTED_MAX}`,
        [userId, ...bounds()],
      );
      return rows.map((row) => toSession(row, limits));
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

/** Both in milliseconds; the limits may have been longer when the session was made. */
const isOpenSince = (usedAfter: string, madeAfter: string) =>
  `expires_at > now() AND last_used_at > to_timestamp(${usedAfter}::double precision / 1000)
     AND created_at > to_timestamp(${madeAfter}::double precision / 1000)`;

type SessionRow = Pick<
  Row<'sessions'>,
  'id' | 'created_at' | 'last_used_at' | 'expires_at' | 'ip_address' | 'user_agent'
>;

const toSession = (row: SessionRow, { idleMsMax, ageMsMax }: SessionLimits): OpenSession => ({
  id: row.id,
  createdAt: row.created_at.getTime(),
  lastUsedAt: row.last_used_at.getTime(),
  endsAt: Math.min(
    row.expires_at.getTime(),
    row.created_at.getTime() + ageMsMax,
    row.last_used_at.getTime() + idleMsMax,
  ),
  ipAddress: row.ip_address ?? '',
  userAgent: row.user_agent ?? '',
});
