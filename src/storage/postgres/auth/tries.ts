import { addressGroup, clientAddress } from '#lib/client-address.ts';
import { ErrataError } from '#lib/errors.ts';
import { createThrottle } from '#lib/throttle.ts';

/** A person mistypes a few times; a program that guesses at one account from one address gets one try in two minutes. */
const TRIES_BY_ACCOUNT_AND_ADDRESS = { triesMax: 10, refillMs: 120_000 };
/**
 * From however many addresses: 2,880 a day in the long run. One address comes back slower than this does, so it takes
 * five of them to keep new browsers out of an account.
 */
const TRIES_BY_ACCOUNT = { triesMax: 100, refillMs: 30_000 };
/** All browsers that signed in to the account before, together, and somebody who is signed in. */
const TRIES_BY_KNOWN = { triesMax: 10, refillMs: 30_000 };
/** An office behind one address has many people. */
const TRIES_BY_ADDRESS = { triesMax: 30, refillMs: 10_000 };

/** Every view of the sign-in page asks for a challenge of passkeys. */
const CHALLENGES_BY_ADDRESS = { triesMax: 60, refillMs: 2_000 };

/** Who tries a password at the sign-in page. `account` is an e-mail address in lower case. */
type SignInTry = {
  headers: Headers;
  account: string;
  /** Whose account it is, for a browser that signed in to it before; null for all others. */
  knownUserId: string | null;
};

/** Counts what is tried: passwords by account, codes by user, and everything by the address that it comes from. */
export type Tries = {
  /** Throws RateLimited. */
  takeOfAddress(headers: Headers): void;
  /** The known browsers of an account have tries of their own: others do not use these up. Throws RateLimited. */
  takeOfSignIn(attempt: SignInTry): void;
  /** The password of somebody with a session: tries of people without one do not use these up. Throws RateLimited. */
  takeOfOwnPassword(userId: string): void;
  /** Throws RateLimited. */
  takeOfSecondFactor(headers: Headers, userId: string): void;
  /** Throws RateLimited. */
  takeOfChallenge(headers: Headers): void;
  /** The password was right. */
  succeedSignIn(attempt: SignInTry): void;
  /** The account has another password. */
  resetAccount(account: string): void;
  resetOwnPassword(userId: string): void;
  resetSecondFactor(userId: string): void;
};

export function createTries(now?: () => number): Tries {
  const addressOf = (headers: Headers) => addressGroup(clientAddress(headers));
  const byAddress = createThrottle(TRIES_BY_ADDRESS, now);
  const byAccountAndAddress = createThrottle(TRIES_BY_ACCOUNT_AND_ADDRESS, now);
  const byAccount = createThrottle(TRIES_BY_ACCOUNT, now);
  const byKnownUser = createThrottle(TRIES_BY_KNOWN, now);
  const byOwnPassword = createThrottle(TRIES_BY_KNOWN, now);
  const bySecondFactor = createThrottle(TRIES_BY_KNOWN, now);
  const challenges = createThrottle(CHALLENGES_BY_ADDRESS, now);
  const passOrThrow = (waitSeconds: number | null) => {
    if (waitSeconds !== null) throw tooManyTries(waitSeconds);
  };
  const pairOf = ({ headers, account }: SignInTry) => `${addressOf(headers)} ${account}`;
  return {
    takeOfAddress: (headers) => passOrThrow(byAddress.take(addressOf(headers))),
    takeOfSignIn: (attempt) => {
      const { headers, account, knownUserId } = attempt;
      passOrThrow(
        knownUserId === null
          ? (byAddress.take(addressOf(headers)) ??
              byAccountAndAddress.take(pairOf(attempt)) ??
              byAccount.take(account))
          : byKnownUser.take(knownUserId),
      );
    },
    takeOfOwnPassword: (userId) => passOrThrow(byOwnPassword.take(userId)),
    takeOfSecondFactor: (headers, userId) =>
      passOrThrow(byAddress.take(addressOf(headers)) ?? bySecondFactor.take(userId)),
    takeOfChallenge: (headers) => passOrThrow(challenges.take(addressOf(headers))),
    succeedSignIn: (attempt) => {
      if (attempt.knownUserId !== null) return byKnownUser.reset(attempt.knownUserId);
      byAccountAndAddress.reset(pairOf(attempt));
      // What others tried meanwhile still counts: else each sign-in of the person would give them all of it again.
      byAccount.giveBack(attempt.account);
    },
    resetAccount: (account) => byAccount.reset(account),
    resetOwnPassword: (userId) => byOwnPassword.reset(userId),
    resetSecondFactor: (userId) => bySecondFactor.reset(userId),
  };
}

function tooManyTries(waitSeconds: number): ErrataError {
  return new ErrataError(
    'rate_limited',
    `Too many sign-in attempts: wait ${waitSeconds} ${waitSeconds === 1 ? 'second' : 'seconds'} and try again`,
    { retryAfterSeconds: waitSeconds },
  );
}
