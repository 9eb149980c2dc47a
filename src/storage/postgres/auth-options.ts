import type { BetterAuthOptions } from 'better-auth';
import type { Pool } from 'pg';

export const PASSWORD_CHARS_MAX = 256;
const SESSION_SECONDS = 30 * 24 * 3600;

/**
 * better-auth on our own tables (migrations/0002_accounts.sql). Its HTTP endpoints are never mounted: sign-in goes
 * through the Authenticator, which throttles, and there is no sign-up.
 * Source: https://www.better-auth.com/docs/reference/options
 */
export function createAuthOptions(input: { pool: Pool; secret: string; publicUrl: string }) {
  const timestamps = { createdAt: 'created_at', updatedAt: 'updated_at' } as const;
  return {
    appName: 'Errata',
    baseURL: input.publicUrl,
    secret: input.secret,
    database: input.pool,
    telemetry: { enabled: false },
    logger: { level: 'error' },
    emailAndPassword: { enabled: true, disableSignUp: true, maxPasswordLength: PASSWORD_CHARS_MAX },
    user: {
      modelName: 'users',
      fields: { emailVerified: 'email_verified', ...timestamps },
      additionalFields: {
        isInstanceOwner: {
          type: 'boolean',
          required: true,
          defaultValue: false,
          input: false,
          fieldName: 'is_instance_owner',
        },
      },
    },
    session: {
      modelName: 'sessions',
      fields: {
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        userId: 'user_id',
        ...timestamps,
      },
      expiresIn: SESSION_SECONDS,
      // Pages cannot set cookies while they render, so a session could only be prolonged on one side.
      disableSessionRefresh: true,
      // Every request asks the table, so that a new password ends sessions at once.
      cookieCache: { enabled: false },
    },
    account: {
      modelName: 'accounts',
      fields: {
        accountId: 'account_id',
        providerId: 'provider_id',
        userId: 'user_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        ...timestamps,
      },
    },
    verification: { modelName: 'verifications', fields: { expiresAt: 'expires_at', ...timestamps } },
    advanced: {
      cookiePrefix: 'errata',
      // Plain HTTP on a local network must work: a browser drops Secure cookies there.
      useSecureCookies: input.publicUrl.startsWith('https://'),
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: '/' },
      database: { validateSchema: false },
    },
  } satisfies BetterAuthOptions;
}
