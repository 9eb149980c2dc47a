import type { BetterAuthOptions, BetterAuthPlugin } from 'better-auth';
import type { ConnectionPool } from '#storage/sql/connections.ts';

/** A password. */
export const PASSWORD_CHARS_MAX = 256;
/** Source: https://www.rfc-editor.org/errata/eid1690 */
export const EMAIL_CHARS_MAX = 254;

/**
 * better-auth on our own tables (migrations/0002 and 0009). Its HTTP endpoints are never mounted: sign-in goes
 * through the Authenticator, which throttles, and there is no sign-up.
 * Source: https://www.better-auth.com/docs/reference/options
 */
export function createAuthOptions<Plugins extends BetterAuthPlugin[]>(
  input: { pool: ConnectionPool; secret: string; publicUrl: string; sessionAgeMsMax: number },
  plugins: Plugins,
) {
  const timestamps = { createdAt: 'created_at', updatedAt: 'updated_at' } as const;
  const isHttps = input.publicUrl.startsWith('https://');
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
      // The time of the last use; how long it may lie back is asked wherever a session is looked up.
      additionalFields: {
        lastUsedAt: {
          type: 'date',
          required: true,
          input: false,
          fieldName: 'last_used_at',
          defaultValue: () => new Date(),
        },
      },
      expiresIn: Math.floor(input.sessionAgeMsMax / 1000),
      // Pages cannot set cookies while they render, so a session could only be prolonged on one side.
      disableSessionRefresh: true,
      // Whatever matters asks for the password again, whatever the age of the session.
      freshAge: 0,
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
    plugins,
    advanced: {
      cookiePrefix: cookiePrefix(input.publicUrl),
      // Its own prefix is __Secure-; ours says more and is part of the name above.
      useSecureCookies: false,
      // Plain HTTP on a local network must work: a browser drops Secure cookies there.
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: '/', secure: isHttps },
      database: { validateSchema: false },
    },
  } satisfies BetterAuthOptions;
}

/** Over https a browser takes a `__Host-` cookie from this very host only, and sends it to no other. */
export const cookiePrefix = (publicUrl: string): string =>
  publicUrl.startsWith('https://') ? '__Host-errata' : 'errata';

/** A field that a plugin adds to the user; the library's types do not tell. */
export const hasTwoFactorOn = (user: object): boolean =>
  'twoFactorEnabled' in user && user.twoFactorEnabled === true;
