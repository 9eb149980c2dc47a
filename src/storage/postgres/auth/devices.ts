import { createHash } from 'node:crypto';
import { z } from 'zod';
import { createSecretBox } from '#lib/secret-box.ts';
import type { ConnectionPool } from '#storage/sql/connections.ts';
import { cookiePrefix } from './options.ts';

const KNOWN_SECONDS = 180 * 24 * 3600;
const COOKIE_PLACE = 'device cookie';

const deviceSchema = z.object({ userId: z.string(), password: z.string(), knownUntil: z.number() });

/**
 * Knows a browser that signed in before, by a sealed cookie for one account, until its password changes. It opens
 * nothing: the known browsers of an account have tries of their own, so that whoever guesses from elsewhere cannot use
 * them up.
 * Source: https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies
 */
export type Devices = {
  /** The user whose account this is, when the browser signed in to it before; else null. */
  findKnownUser(headers: Headers, account: string): Promise<string | null>;
  /** Set-Cookie values for a browser that has just signed in; none when it is known. */
  know(headers: Headers, userId: string): Promise<readonly string[]>;
};

export function createDevices({
  pool,
  secret,
  publicUrl,
  now = Date.now,
}: {
  pool: ConnectionPool;
  secret: string;
  publicUrl: string;
  now?: () => number;
}): Devices {
  const box = createSecretBox(secret, 'known devices');
  const cookieName = `${cookiePrefix(publicUrl)}.device`;
  const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${KNOWN_SECONDS}${publicUrl.startsWith('https:') ? '; Secure' : ''}`;

  function read(headers: Headers): z.infer<typeof deviceSchema> | null {
    const text = box.open(readCookie(headers, cookieName), COOKIE_PLACE);
    if (text === null) return null;
    const found = deviceSchema.safeParse(JSON.parse(text));
    return found.success && found.data.knownUntil > now() ? found.data : null;
  }

  return {
    async findKnownUser(headers, account) {
      const known = read(headers);
      if (!known) return null;
      const user = await findUser(known.userId);
      return user?.account === account && user.password === known.password ? known.userId : null;
    },

    async know(headers, userId) {
      const password = (await findUser(userId))?.password;
      if (password === undefined) return [];
      const before = read(headers);
      if (before?.userId === userId && before.password === password) return [];
      const known = { userId, password, knownUntil: now() + KNOWN_SECONDS * 1000 };
      const sealed = encodeURIComponent(box.seal(JSON.stringify(known), COOKIE_PLACE));
      return [`${cookieName}=${sealed}; ${attributes}`];
    },
  };

  async function findUser(userId: string): Promise<{ account: string; password: string } | null> {
    const { rows } = await pool.query<{ account: string; hash: string | null }>(
      `SELECT lower(users.email) AS account, accounts.password AS hash
       FROM users LEFT JOIN accounts ON accounts.user_id = users.id AND accounts.provider_id = 'credential'
       WHERE users.id = $1`,
      [userId],
    );
    const row = rows[0];
    return row ? { account: row.account, password: fingerprint(row.hash ?? '') } : null;
  }
}

/** Of the salted hash of a password: another one for each password that is set, even for the same again. */
const fingerprint = (hash: string): string => createHash('sha256').update(hash).digest('base64url');

/** The value of a cookie in the headers of a request; empty when there is none, or none that can be read. */
export function readCookie(headers: Headers, name: string): string {
  for (const pair of (headers.get('cookie') ?? '').split(';')) {
    const equals = pair.indexOf('=');
    if (pair.slice(0, equals).trim() !== name) continue;
    try {
      return decodeURIComponent(pair.slice(equals + 1).trim());
    } catch {
      return '';
    }
  }
  return '';
}
