import { ErrataError } from '#lib/errors.ts';
import { createThrottle } from '#lib/throttle.ts';
import type { ClientAddressResolver } from './auth-client-address.ts';

/** A person mistypes a few times; a program that guesses gets one try in half a minute. */
const TRIES_BY_ACCOUNT = { triesMax: 10, refillMs: 30_000, keysMax: 10_000 };
/** An office behind one address has many people. */
const TRIES_BY_ADDRESS = { triesMax: 30, refillMs: 10_000, keysMax: 10_000 };

/** Every view of the sign-in page asks for a challenge of passkeys. */
const CHALLENGES_BY_ADDRESS = { triesMax: 60, refillMs: 2_000, keysMax: 10_000 };

/** Counts what is tried: passwords by account, codes by user, and everything by the address that it comes from. */
export type Tries = {
  /** Throws RateLimited. */
  takeOfAddress(headers: Headers): void;
  /** Throws RateLimited. `account` is an e-mail address in lower case. */
  takeOfAccount(headers: Headers, account: string): void;
  /** The password of somebody with a session: tries of people without one do not use these up. Throws RateLimited. */
  takeOfOwnPassword(headers: Headers, userId: string): void;
  /** Throws RateLimited. */
  takeOfSecondFactor(headers: Headers, userId: string): void;
  /** Throws RateLimited. */
  takeOfChallenge(headers: Headers): void;
  resetAccount(account: string): void;
  resetOwnPassword(userId: string): void;
  resetSecondFactor(userId: string): void;
};

export function createTries(addressOf: ClientAddressResolver, now?: () => number): Tries {
  const byAddress = createThrottle(TRIES_BY_ADDRESS, now);
  const byAccount = createThrottle(TRIES_BY_ACCOUNT, now);
  const byOwnPassword = createThrottle(TRIES_BY_ACCOUNT, now);
  const bySecondFactor = createThrottle(TRIES_BY_ACCOUNT, now);
  const challenges = createThrottle(CHALLENGES_BY_ADDRESS, now);
  const passOrThrow = (waitSeconds: number | null) => {
    if (waitSeconds !== null) throw tooManyTries(waitSeconds);
  };
  return {
    takeOfAddress: (headers) => passOrThrow(byAddress.take(addressOf(headers))),
    takeOfAccount: (headers, account) =>
      passOrThrow(byAddress.take(addressOf(headers)) ?? byAccount.take(account)),
    takeOfOwnPassword: (headers, userId) =>
      passOrThrow(byAddress.take(addressOf(headers)) ?? byOwnPassword.take(userId)),
    takeOfSecondFactor: (headers, userId) =>
      passOrThrow(byAddress.take(addressOf(headers)) ?? bySecondFactor.take(userId)),
    takeOfChallenge: (headers) => passOrThrow(challenges.take(addressOf(headers))),
    resetAccount: (account) => byAccount.reset(account),
    resetOwnPassword: (userId) => byOwnPassword.reset(userId),
    resetSecondFactor: (userId) => bySecondFactor.reset(userId),
  };
}

function tooManyTries(waitSeconds: number): ErrataError {
  return new ErrataError(
    'rate_limited',
    `Too many sign-in tries: wait ${waitSeconds} ${waitSeconds === 1 ? 'second' : 'seconds'} and try again`,
    { retryAfterSeconds: waitSeconds },
  );
}
