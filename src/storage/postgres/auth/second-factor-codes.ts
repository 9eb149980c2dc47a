import { conflict, ErrataError } from '#lib/errors.ts';
import type { SecondFactor } from '#storage/ports/authenticator.ts';
import type { ConnectionPool } from '#storage/sql/connections.ts';
import { type Devices, readCookie } from './devices.ts';
import { type AuthLibrary, isRefusal } from './library.ts';
import { cookiePrefix } from './options.ts';
import { normalizeRecoveryCode, RECOVERY_CODES } from './recovery-codes.ts';
import { withSessionAddress } from './sessions.ts';
import type { Tries } from './tries.ts';

type Parts = {
  library: AuthLibrary;
  pool: ConnectionPool;
  tries: Tries;
  devices: Devices;
  usedCodes: UsedCodes;
  publicUrl: string;
};

/** Codes of an app and recovery codes, with the plugin of better-auth; the secrets are encrypted in the table. */
export function createSecondFactor({
  library,
  pool,
  tries,
  devices,
  usedCodes,
  publicUrl,
}: Parts): SecondFactor {
  const sessionCookie = `${cookiePrefix(publicUrl)}.session_token`;
  const challengeCookie = `${cookiePrefix(publicUrl)}.two_factor`;

  /** Whoever else is signed in did so when the account opened otherwise; browsers that are trusted were trusted then. */
  async function endAllOthers(userId: string, cookies: readonly string[]): Promise<void> {
    const kept = readCookie(new Headers({ cookie: cookies.join(';') }), sessionCookie).split('.')[0] ?? '';
    if (kept === '') throw new Error('The authentication library did not return the replacement session');
    await pool.query('DELETE FROM sessions WHERE user_id = $1 AND token <> $2', [userId, kept]);
    await pool.query('DELETE FROM verifications WHERE value = $1', [userId]);
  }

  async function findChallenged(headers: Headers): Promise<string | null> {
    // The library checks the signature when the code comes; here the name of the challenge is enough.
    const identifier = readCookie(headers, challengeCookie).split('.')[0] ?? '';
    if (!identifier.startsWith('2fa-')) return null;
    const { rows } = await pool.query<{ value: string }>(
      'SELECT value FROM verifications WHERE identifier = $1 AND expires_at > now()',
      [identifier],
    );
    return rows[0]?.value ?? null;
  }

  /** Whether the code of a signed-in user is right. It counts once. */
  async function checkOwnCode(userId: string, typed: string, headers: Headers): Promise<boolean> {
    tries.takeOfSecondFactor(headers, userId);
    const { auth } = await library();
    const code = digitsOf(typed);
    const isApp = code.length === CODE_DIGITS;
    if (isApp && !usedCodes.take(userId, code)) return false;
    const checked = isApp
      ? auth.api.verifyTOTP({ body: { code }, headers: withSessionAddress(headers) })
      : auth.api.verifyBackupCode({
          body: { code: normalizeRecoveryCode(typed), disableSession: true },
          headers: withSessionAddress(headers),
        });
    const isRight = await succeeds(checked);
    if (isRight) tries.resetSecondFactor(userId);
    return isRight;
  }

  return {
    findChallenged,

    async findStatus(userId) {
      const { rows } = await pool.query<{ two_factor_enabled: boolean }>(
        'SELECT two_factor_enabled FROM users WHERE id = $1',
        [userId],
      );
      if (!rows[0]?.two_factor_enabled) return null;
      const { auth } = await library();
      const { backupCodes } = await auth.api.viewBackupCodes({ body: { userId } });
      return { recoveryCodesLeft: backupCodes.length };
    },

    async begin({ password, headers }) {
      const { auth } = await library();
      try {
        const made = await auth.api.enableTwoFactor({
          body: { password: password ?? undefined, method: 'totp' },
          headers: withSessionAddress(headers),
        });
        if (!('totpURI' in made))
          throw new Error('The authentication library did not return the authenticator app URI');
        const secret = new URL(made.totpURI).searchParams.get('secret') ?? '';
        return { uri: made.totpURI, secret, recoveryCodes: made.backupCodes };
      } catch (error) {
        if (isRefusal(error))
          throw conflict('Two-factor authentication is already enabled: disable it first');
        throw error;
      }
    },

    async confirm({ userId, code: typed, headers }) {
      tries.takeOfSecondFactor(headers, userId);
      const code = digitsOf(typed);
      if (code.length !== CODE_DIGITS || !usedCodes.take(userId, code)) return null;
      const { auth } = await library();
      const cookies = await orNull(async () => {
        const { headers: answer } = await auth.api.verifyTOTP({
          body: { code },
          headers: withSessionAddress(headers),
          returnHeaders: true,
        });
        return answer.getSetCookie();
      });
      if (!cookies) return null;
      tries.resetSecondFactor(userId);
      await endAllOthers(userId, cookies);
      return cookies;
    },

    async verify({ kind, code: typed, trustsBrowser, headers }) {
      const userId = await findChallenged(headers);
      if (userId === null) throw challengeIsGone();
      tries.takeOfSecondFactor(headers, userId);
      const code = kind === 'app' ? digitsOf(typed) : normalizeRecoveryCode(typed);
      if (kind === 'app' && (code.length !== CODE_DIGITS || !usedCodes.take(userId, code))) return null;
      const { auth } = await library();
      const request = {
        body: { code, trustDevice: trustsBrowser },
        headers: withSessionAddress(withoutCookie(headers, sessionCookie)),
        returnHeaders: true,
      } as const;
      const cookies = await orNull(async () => {
        const { headers: answer } =
          kind === 'app' ? await auth.api.verifyTOTP(request) : await auth.api.verifyBackupCode(request);
        return answer.getSetCookie();
      });
      if (cookies) {
        tries.resetSecondFactor(userId);
        return [...cookies, ...(await devices.know(headers, userId))];
      }
      if ((await findChallenged(headers)) === null) throw challengeIsGone();
      return null;
    },

    async renewRecoveryCodes({ password, headers }) {
      const { auth } = await library();
      const { backupCodes } = await auth.api.generateBackupCodes({
        body: { password: password ?? undefined },
        headers: withSessionAddress(headers),
      });
      if (backupCodes.length !== RECOVERY_CODES)
        throw new Error('The authentication library returned an unexpected number of codes');
      return backupCodes;
    },

    async disable({ userId, password, code, headers }) {
      if (!(await checkOwnCode(userId, code, headers))) return null;
      const { auth } = await library();
      const { headers: answer } = await auth.api.disableTwoFactor({
        body: { password: password ?? undefined },
        headers: withSessionAddress(headers),
        returnHeaders: true,
      });
      const cookies = answer.getSetCookie();
      await endAllOthers(userId, cookies);
      return cookies;
    },
  };
}

const CODE_DIGITS = 6;

/** `123 456` as apps show it. */
const digitsOf = (typed: string): string => typed.replace(/\s/g, '');

/** With a session the library would take the code for a change of settings, not for a sign-in. */
function withoutCookie(headers: Headers, name: string): Headers {
  const kept = (headers.get('cookie') ?? '').split(';').filter((pair) => pair.split('=')[0]?.trim() !== name);
  const changed = new Headers(headers);
  changed.set('cookie', kept.join(';'));
  return changed;
}

const challengeIsGone = () =>
  new ErrataError(
    'unauthorized',
    'The first step expired, or too many incorrect codes were entered: sign in again',
  );

async function orNull<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (isRefusal(error)) return null;
    throw tooManyCodes(error) ?? error;
  }
}

async function succeeds(work: Promise<unknown>): Promise<boolean> {
  return (await orNull(async () => ({ done: await work }))) !== null;
}

/** The library locks an account by itself, across restarts, after ten wrong codes in a row. */
function tooManyCodes(error: unknown): ErrataError | null {
  if (!(error instanceof Error) || !('statusCode' in error) || error.statusCode !== 429) return null;
  return new ErrataError('rate_limited', 'Too many incorrect codes: wait 15 minutes and sign in again', {
    retryAfterSeconds: 900,
    cause: error,
  });
}

/** A code of an app is right for 30 seconds, and for one such step before and after. */
const REMEMBERED_MS = 90_000;
/** Used codes remembered, so that each works once. */
const CODES_MAX = 10_000;

/** Codes that were shown already: one that somebody looked on at opens nothing a second time (RFC 6238, section 5.2). */
export type UsedCodes = {
  /** Uses the code up; false when it was used before. */
  take(userId: string, code: string): boolean;
};

export function createUsedCodes(now: () => number = Date.now): UsedCodes {
  const usedAt = new Map<string, number>();
  return {
    take(userId, code) {
      const nowMs = now();
      for (const [key, at] of usedAt) {
        if (nowMs - at < REMEMBERED_MS && usedAt.size < CODES_MAX) break;
        usedAt.delete(key);
      }
      const key = `${userId} ${code}`;
      if (usedAt.has(key)) return false;
      usedAt.set(key, nowMs);
      return true;
    },
  };
}
