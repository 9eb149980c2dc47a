import { randomBytes } from 'node:crypto';
import type * as CoreApi from '@better-auth/core/api';
import type * as Cookies from 'better-auth/cookies';
import { z } from 'zod';
import { hasTwoFactorOn } from './options.ts';

/** Between the first and the second step of a sign-in. */
export const CHALLENGE_SECONDS = 600;
const CHALLENGE_BYTES = 20;

/** The parts of the library that it is made of. */
export type SessionParts = {
  createAuthEndpoint: typeof CoreApi.createAuthEndpoint;
  setSessionCookie: typeof Cookies.setSessionCookie;
};

/**
 * A session without a password. Of an account with a second factor it opens none, only the second step: as the library
 * does after a password. So whoever has a session has passed every factor of the account.
 */
export function createSessionPlugin({ createAuthEndpoint, setSessionCookie }: SessionParts) {
  return {
    id: 'errata-sessions' as const,
    endpoints: {
      openSession: createAuthEndpoint.serverOnly(
        { method: 'POST', body: z.object({ userId: z.string() }) },
        async (ctx) => {
          const { internalAdapter } = ctx.context;
          const user = await internalAdapter.findUserById(ctx.body.userId);
          if (!user) throw new Error(`User ${ctx.body.userId} does not exist`);
          if (!hasTwoFactorOn(user)) {
            await setSessionCookie(ctx, { session: await internalAdapter.createSession(user.id), user });
            return { needsSecondFactor: false };
          }
          const identifier = `2fa-${randomBytes(CHALLENGE_BYTES).toString('hex')}`;
          const expiresAt = new Date(Date.now() + CHALLENGE_SECONDS * 1000);
          await internalAdapter.createVerificationValue({ identifier, value: user.id, expiresAt });
          await internalAdapter.createVerificationValue({
            identifier: `2fa-attempts-${identifier}`,
            value: '0',
            expiresAt,
          });
          const cookie = ctx.context.createAuthCookie('two_factor', { maxAge: CHALLENGE_SECONDS });
          await ctx.setSignedCookie(cookie.name, identifier, ctx.context.secret, cookie.attributes);
          return { needsSecondFactor: true };
        },
      ),
    },
  };
}
