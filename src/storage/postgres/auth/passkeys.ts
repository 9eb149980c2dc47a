import { isIP } from 'node:net';
import { z } from 'zod';
import { invalid } from '#lib/errors.ts';
import { MINUTE_MS } from '#lib/time.ts';
import type { Passkey, Passkeys } from '#storage/ports/authenticator.ts';
import type { ConnectionPool } from '#storage/sql/connections.ts';
import type { Row } from '#storage/sql/schema.ts';
import type { Devices } from './devices.ts';
import { type AuthLibrary, isRefusal } from './library.ts';
import { withSessionAddress } from './sessions.ts';
import type { Tries } from './tries.ts';

type Parts = {
  library: AuthLibrary;
  pool: ConnectionPool;
  tries: Tries;
  devices: Devices;
  publicUrl: string;
};

const FORGET_EVERY_MS = MINUTE_MS;
/** One encoded field of a passkey response. */
const CREDENTIAL_CHARS_MAX = 8_192;
const encoded = z.string().max(CREDENTIAL_CHARS_MAX);
const assertionSchema = z.object({
  id: encoded,
  rawId: encoded,
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
  clientExtensionResults: z.looseObject({}),
  response: z.object({
    clientDataJSON: encoded,
    authenticatorData: encoded,
    signature: encoded,
    userHandle: encoded.optional(),
  }),
});

/** Passkeys (Web Authentication), with the plugin of better-auth. */
export function createPasskeys({ library, pool, tries, devices, publicUrl }: Parts): Passkeys {
  let forgottenAt = Number.NEGATIVE_INFINITY;
  /** Most challenges are never answered. */
  async function forgetOldChallenges(): Promise<void> {
    if (performance.now() - forgottenAt < FORGET_EVERY_MS) return;
    forgottenAt = performance.now();
    await pool.query('DELETE FROM verifications WHERE expires_at < now()');
  }

  return {
    areAvailable: allowsPasskeys(publicUrl),

    async list(userId) {
      const { rows } = await pool.query<PasskeyRow>(
        `SELECT id, name, created_at, last_used_at, backed_up FROM passkeys
         WHERE user_id = $1 ORDER BY created_at, id`,
        [userId],
      );
      return rows.map(toPasskey);
    },

    async beginRegistration(headers) {
      const { auth } = await library();
      const { headers: answer, response } = await auth.api.generatePasskeyRegistrationOptions({
        headers: withSessionAddress(headers),
        returnHeaders: true,
      });
      return { options: { ...response }, cookies: answer.getSetCookie() };
    },

    async finishRegistration({ name, response, headers }) {
      const { auth } = await library();
      try {
        await auth.api.verifyPasskeyRegistration({
          body: { response: { ...response }, name },
          headers: withSessionAddress(headers),
        });
      } catch (error) {
        if (!isAnswer(error)) throw error;
        throw invalid('The passkey could not be verified: add it again in this browser');
      }
    },

    async rename(userId, passkeyId, name) {
      const { rowCount } = await pool.query('UPDATE passkeys SET name = $3 WHERE user_id = $1 AND id = $2', [
        userId,
        passkeyId,
        name,
      ]);
      return rowCount === 1;
    },

    async remove(userId, passkeyId) {
      const { rowCount } = await pool.query('DELETE FROM passkeys WHERE user_id = $1 AND id = $2', [
        userId,
        passkeyId,
      ]);
      return rowCount === 1;
    },

    async beginSignIn(headers) {
      tries.takeOfChallenge(headers);
      const { auth } = await library();
      await forgetOldChallenges();
      const { headers: answer, response } = await auth.api.generatePasskeyAuthenticationOptions({
        headers: withSessionAddress(headers),
        returnHeaders: true,
      });
      // The library only prefers it, and then refuses what came without.
      return { options: { ...response, userVerification: 'required' }, cookies: answer.getSetCookie() };
    },

    async finishSignIn({ response, headers }) {
      tries.takeOfAddress(headers);
      const assertion = assertionSchema.safeParse(response);
      if (!assertion.success) return null;
      const { auth } = await library();
      try {
        const { headers: answer, response: opened } = await auth.api.verifyPasskeyAuthentication({
          body: { response: assertion.data },
          headers: withSessionAddress(headers),
          returnHeaders: true,
        });
        await pool.query('UPDATE passkeys SET last_used_at = now() WHERE credential_id = $1', [
          assertion.data.id,
        ]);
        return [...answer.getSetCookie(), ...(await devices.know(headers, opened.user.id))];
      } catch (error) {
        if (isRefusal(error)) return null;
        throw error;
      }
    },
  };
}

/** Browsers offer them in a secure context only, and for a site that has a name. */
function allowsPasskeys(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return false;
  return protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost');
}

/** Whatever does not fit is answered with 500 by the library as well. */
const isAnswer = (error: unknown): boolean => error instanceof Error && 'statusCode' in error;

type PasskeyRow = Pick<Row<'passkeys'>, 'id' | 'name' | 'created_at' | 'last_used_at' | 'backed_up'>;

const toPasskey = (row: PasskeyRow): Passkey => ({
  id: row.id,
  name: row.name ?? 'Passkey',
  createdAt: row.created_at?.getTime() ?? 0,
  lastUsedAt: row.last_used_at?.getTime() ?? null,
  isSynced: row.backed_up,
});
