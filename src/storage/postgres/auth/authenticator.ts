import type { User } from '#domain/people.ts';
import { conflict } from '#lib/errors.ts';
import type {
  Authenticator,
  SessionLimits,
  SignInResult,
  SingleSignOn,
} from '#storage/ports/authenticator.ts';
import type { ConnectionPool } from '#storage/sql/connections.ts';
import { isUniqueViolation } from '#storage/sql/postgres-errors.ts';
import { createDevices } from './devices.ts';
import { createAuthLibrary, isRefusal } from './library.ts';
import { EMAIL_CHARS_MAX, hasTwoFactorOn, PASSWORD_CHARS_MAX } from './options.ts';
import { createPasskeys } from './passkeys.ts';
import { createSecondFactor, createUsedCodes, type UsedCodes } from './second-factor-codes.ts';
import { createSessionStore, createUseNotes, SESSION_LIMITS, withSessionAddress } from './sessions.ts';
import { createSingleSignOn, type SingleSignOnSettings } from './single-sign-on.ts';
import { createTries, type Tries } from './tries.ts';

export type AuthenticatorSettings = {
  pool: ConnectionPool;
  /** Signs the session cookies and encrypts the secrets of second factors; 32 characters or more. */
  secret: string;
  /** Decides whether cookies are Secure, and which site passkeys belong to. */
  publicUrl: string;
  /** null or absent: no single sign-on. */
  singleSignOn?: SingleSignOnSettings | null;
  /** How long sessions last; 7 days without use and 30 days unless said. */
  sessionLimits?: SessionLimits;
  now?: () => number;
};

/** What changes through `over` belongs to the transaction of its connections. */
export type PostgresAuthenticator = Authenticator & { over(pool: ConnectionPool): Authenticator };

/** Sign-in by password, passkey and single sign-on, with better-auth on PostgreSQL. */
export function createAuthenticator(settings: AuthenticatorSettings): PostgresAuthenticator {
  const tries = createTries(settings.now);
  const remembered: Remembered = {
    tries,
    usedCodes: createUsedCodes(settings.now),
    noteUse: createUseNotes(settings.pool, settings.now),
    singleSignOn: settings.singleSignOn
      ? createSingleSignOn(settings.singleSignOn, { ...settings, tries })
      : null,
  };
  return {
    ...authenticatorOver(settings, remembered),
    over: (pool) => authenticatorOver({ ...settings, pool }, remembered),
  };
}

/** What the process remembers between requests, whatever connections it uses. */
type Remembered = {
  tries: Tries;
  usedCodes: UsedCodes;
  noteUse: ReturnType<typeof createUseNotes>;
  singleSignOn: SingleSignOn | null;
};

function authenticatorOver(
  settings: AuthenticatorSettings,
  { tries, usedCodes, noteUse, singleSignOn }: Remembered,
): Authenticator {
  const { pool, sessionLimits = SESSION_LIMITS } = settings;
  const library = createAuthLibrary({ ...settings, sessionAgeMsMax: sessionLimits.ageMsMax });
  const devices = createDevices(settings);
  const sessions = createSessionStore(pool, sessionLimits, settings.now);

  return {
    sessions,
    secondFactor: createSecondFactor({
      library,
      pool,
      tries,
      usedCodes,
      devices,
      publicUrl: settings.publicUrl,
    }),
    passkeys: createPasskeys({ library, pool, tries, devices, publicUrl: settings.publicUrl }),
    singleSignOn,

    async findSession(headers) {
      const { auth } = await library();
      const found = await auth.api.getSession({ headers });
      if (!found) return null;
      const { id, email, name, isInstanceOwner } = found.user;
      if (sessions.isOver(found.session)) {
        await sessions.end(id, found.session.id);
        return null;
      }
      await noteUse(found.session.id, headers);
      return {
        sessionId: found.session.id,
        userId: id,
        email,
        name,
        isInstanceOwner,
        hasTwoFactorEnabled: hasTwoFactorOn(found.user),
        createdAt: found.session.createdAt.getTime(),
      };
    },

    async signIn({ email, password, headers }) {
      const account = email.trim().toLowerCase();
      // Nobody has such an address, so it uses up no tries.
      if (account.length > EMAIL_CHARS_MAX) return null;
      const attempt = { headers, account, knownUserId: await devices.findKnownUser(headers, account) };
      tries.takeOfSignIn(attempt);
      if (password.length > PASSWORD_CHARS_MAX) return null;
      const { auth } = await library();
      try {
        const { headers: answer, response } = await auth.api.signInEmail({
          body: { email: account, password },
          headers: withSessionAddress(headers),
          returnHeaders: true,
        });
        tries.succeedSignIn(attempt);
        const cookies = answer.getSetCookie();
        if ('twoFactorRedirect' in response) return { cookies, needsSecondFactor: true };
        const known = await devices.know(headers, response.user.id);
        return { cookies: [...cookies, ...known], needsSecondFactor: false };
      } catch (error) {
        if (isRefusal(error)) return null;
        throw error;
      }
    },

    async openSession({ userId, headers }): Promise<SignInResult> {
      const { auth } = await library();
      const { headers: answer, response } = await auth.api.openSession({
        body: { userId },
        headers: withSessionAddress(headers),
        returnHeaders: true,
      });
      const known = response.needsSecondFactor ? [] : await devices.know(headers, userId);
      return { cookies: [...answer.getSetCookie(), ...known], ...response };
    },

    async signOut(headers) {
      const { auth } = await library();
      const { headers: answer } = await auth.api.signOut({ headers, returnHeaders: true });
      return answer.getSetCookie();
    },

    async createUser({ email, name, password, isEmailTrusted = true }) {
      const { context, inTransaction } = await library();
      const hash = password === null ? null : await context.password.hash(password);
      try {
        return await inTransaction(async () => {
          const created = await context.internalAdapter.createUser(
            { email: email.trim().toLowerCase(), name, emailVerified: isEmailTrusted },
            { method: 'admin' },
          );
          if (hash !== null) await context.internalAdapter.createAccount(credentialOf(created.id, hash));
          return {
            id: created.id,
            email: created.email,
            name: created.name,
            isInstanceOwner: false,
          } satisfies User;
        });
      } catch (error) {
        if (isUniqueViolation(error))
          throw conflict(`A user with the email address ${email} already exists`, 'email');
        throw error;
      }
    },

    async checkPassword({ userId, password }) {
      const { context } = await library();
      const hash = (await context.internalAdapter.findCredentialAccount(userId))?.password;
      if (!hash) return false;
      tries.takeOfOwnPassword(userId);
      if (password.length > PASSWORD_CHARS_MAX) return false;
      const isRight = await context.password.verify({ hash, password });
      if (isRight) tries.resetOwnPassword(userId);
      return isRight;
    },

    async setPassword(userId, password, keepSessionId = '') {
      const { context, inTransaction } = await library();
      const hash = await context.password.hash(password);
      const email = await inTransaction(async () => {
        const accounts = await context.internalAdapter.findAccounts(userId);
        if (accounts.some((account) => account.providerId === 'credential')) {
          await context.internalAdapter.updatePassword(userId, hash);
        } else {
          await context.internalAdapter.createAccount(credentialOf(userId, hash));
        }
        return (await context.internalAdapter.findUserById(userId))?.email ?? null;
      });
      await pool.query('DELETE FROM sessions WHERE user_id = $1 AND id <> $2', [userId, keepSessionId]);
      // Second steps that were begun with the old password, and browsers that need none.
      await pool.query('DELETE FROM verifications WHERE value = $1', [userId]);
      // Links that somebody asked for who knew the old password, or reads the mail that it was sent to.
      await pool.query('DELETE FROM email_changes WHERE user_id = $1', [userId]);
      await pool.query("DELETE FROM one_time_secrets WHERE purpose = 'reset_password' AND user_id = $1", [
        userId,
      ]);
      if (email) tries.resetAccount(email);
      tries.resetOwnPassword(userId);
    },

    knowDevice: (userId) => devices.know(new Headers(), userId),
  };
}

const credentialOf = (userId: string, hash: string) => ({
  userId,
  accountId: userId,
  providerId: 'credential',
  password: hash,
});
