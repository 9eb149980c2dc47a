import type { Pool } from 'pg';
import { conflict, ErrataError } from '#lib/errors.ts';
import type { Authenticator, User } from '#storage/ports/accounts.ts';
import { createClientAddressResolver } from './auth-client-address.ts';
import { createAuthOptions, PASSWORD_CHARS_MAX } from './auth-options.ts';
import { createThrottle } from './auth-throttle.ts';
import { isUniqueViolation } from './postgres-errors.ts';

/** A person mistypes a few times; a program that guesses gets one try in half a minute. */
const TRIES_BY_ACCOUNT = { triesMax: 10, refillMs: 30_000, keysMax: 10_000 };
/** An office behind one address has many people. */
const TRIES_BY_ADDRESS = { triesMax: 30, refillMs: 10_000, keysMax: 10_000 };

export type AuthenticatorSettings = {
  pool: Pool;
  /** Signs the session cookies; 32 characters or more. */
  secret: string;
  /** Decides whether cookies are Secure. */
  publicUrl: string;
  /** Addresses or CIDR ranges in front of the edge whose `X-Forwarded-For` is believed. */
  trustedProxies: readonly string[];
  now?: () => number;
};

/** Sign-in by e-mail and password, with better-auth on PostgreSQL. */
export function createAuthenticator(settings: AuthenticatorSettings): Authenticator {
  let loading: ReturnType<typeof load> | null = null;
  // The library takes a third of the memory of a small process, and not every process that could sign in does.
  const library = () => {
    loading ??= load(settings);
    return loading;
  };
  const clientAddress = createClientAddressResolver(settings.trustedProxies);
  const byAccount = createThrottle(TRIES_BY_ACCOUNT, settings.now);
  const byAddress = createThrottle(TRIES_BY_ADDRESS, settings.now);

  return {
    async findSession(headers) {
      const { auth } = await library();
      const found = await auth.api.getSession({ headers });
      if (!found) return null;
      const { id, email, name, isInstanceOwner } = found.user;
      return { userId: id, email, name, isInstanceOwner };
    },

    async signIn({ email, password, headers }) {
      const account = email.trim().toLowerCase();
      const address = clientAddress(headers);
      const waitSeconds = byAddress.take(address) ?? byAccount.take(account);
      if (waitSeconds !== null) throw tooManyTries(waitSeconds);
      if (password.length > PASSWORD_CHARS_MAX) return null;
      const { auth } = await library();
      try {
        const { headers: answer } = await auth.api.signInEmail({
          body: { email: account, password },
          headers: withClientAddress(headers, address),
          returnHeaders: true,
        });
        byAccount.reset(account);
        return answer.getSetCookie();
      } catch (error) {
        if (isRefusal(error)) return null;
        throw error;
      }
    },

    async signOut(headers) {
      const { auth } = await library();
      const { headers: answer } = await auth.api.signOut({ headers, returnHeaders: true });
      return answer.getSetCookie();
    },

    async createUser({ email, name, password }) {
      const { context, inTransaction } = await library();
      const hash = await context.password.hash(password);
      try {
        return await inTransaction(async () => {
          const created = await context.internalAdapter.createUser(
            { email: email.trim().toLowerCase(), name, emailVerified: false },
            { method: 'admin' },
          );
          await context.internalAdapter.createAccount(credentialOf(created.id, hash));
          return {
            id: created.id,
            email: created.email,
            name: created.name,
            isInstanceOwner: false,
          } satisfies User;
        });
      } catch (error) {
        if (isUniqueViolation(error))
          throw conflict(`A user with the address ${email} exists already`, 'email');
        throw error;
      }
    },

    async setPassword(userId, password) {
      const { context, inTransaction } = await library();
      const hash = await context.password.hash(password);
      const email = await inTransaction(async () => {
        const accounts = await context.internalAdapter.findAccounts(userId);
        if (accounts.some((account) => account.providerId === 'credential')) {
          await context.internalAdapter.updatePassword(userId, hash);
        } else {
          await context.internalAdapter.createAccount(credentialOf(userId, hash));
        }
        await context.internalAdapter.deleteUserSessions(userId);
        return (await context.internalAdapter.findUserById(userId))?.email ?? null;
      });
      if (email) byAccount.reset(email);
    },
  };
}

async function load(settings: AuthenticatorSettings) {
  const [{ betterAuth }, { runWithTransaction }] = await Promise.all([
    import('better-auth'),
    import('@better-auth/core/context'),
  ]);
  const auth = betterAuth(createAuthOptions(settings));
  const context = await auth.$context;
  const inTransaction = async <T>(work: () => Promise<T>) => runWithTransaction(context.adapter, work);
  return { auth, context, inTransaction };
}

function tooManyTries(waitSeconds: number): ErrataError {
  return new ErrataError(
    'rate_limited',
    `Too many sign-in tries: wait ${waitSeconds} ${waitSeconds === 1 ? 'second' : 'seconds'} and try again`,
    { retryAfterSeconds: waitSeconds },
  );
}

/** The library notes the address of a session; it must be the one that we believe. */
function withClientAddress(headers: Headers, address: string): Headers {
  const forwarded = new Headers(headers);
  if (address === 'unknown') forwarded.delete('x-forwarded-for');
  else forwarded.set('x-forwarded-for', address.replace('/64', ''));
  return forwarded;
}

const credentialOf = (userId: string, hash: string) => ({
  userId,
  accountId: userId,
  providerId: 'credential',
  password: hash,
});

/** An answer of 400 or 401: no such user, a wrong password, or something that is no e-mail address. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error) || !('statusCode' in error)) return false;
  return error.statusCode === 400 || error.statusCode === 401;
}
