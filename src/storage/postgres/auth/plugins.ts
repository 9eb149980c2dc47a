import type { passkey as passkeyPlugin } from '@better-auth/passkey';
import type { twoFactor as twoFactorPlugin } from 'better-auth/plugins/two-factor';
import { CHALLENGE_SECONDS, createSessionPlugin, type SessionParts } from './open-session.ts';
import { createRecoveryCodes } from './recovery-codes.ts';

const TRUSTED_BROWSER_SECONDS = 30 * 24 * 3600;

/** The parts of the library that plugins are made of; loaded together with it. */
export type PluginParts = SessionParts & {
  passkey: typeof passkeyPlugin;
  twoFactor: typeof twoFactorPlugin;
};

/** Two-factor, passkeys, and sessions for users who were recognized in another way. */
export function createAuthPlugins(parts: PluginParts, publicUrl: string) {
  return [
    parts.twoFactor({
      issuer: issuerName(publicUrl),
      // Who signs in by single sign-on only has no password to ask for.
      allowPasswordless: true,
      twoFactorCookieMaxAge: CHALLENGE_SECONDS,
      trustDeviceMaxAge: TRUSTED_BROWSER_SECONDS,
      backupCodeOptions: { customBackupCodesGenerate: createRecoveryCodes },
      schema: {
        user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
        twoFactor: {
          modelName: 'two_factors',
          fields: {
            userId: 'user_id',
            backupCodes: 'backup_codes',
            failedVerificationCount: 'failed_verification_count',
            lockedUntil: 'locked_until',
          },
        },
      },
    }),
    parts.passkey({
      rpID: new URL(publicUrl).hostname,
      rpName: 'Errata',
      origin: new URL(publicUrl).origin,
      // A passkey stands for both factors, so the device has to check its user, and to name the account by itself.
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      authentication: {
        afterVerification: ({ verification }) => {
          if (!verification.authenticationInfo.userVerified) throw new Error('The user was not verified');
        },
      },
      registration: {
        afterVerification: ({ verification }) => {
          if (!verification.registrationInfo?.userVerified) throw new Error('The user was not verified');
        },
      },
      advanced: { webAuthnChallengeCookie: 'passkey' },
      schema: {
        passkey: {
          modelName: 'passkeys',
          fields: {
            publicKey: 'public_key',
            userId: 'user_id',
            credentialID: 'credential_id',
            deviceType: 'device_type',
            backedUp: 'backed_up',
            createdAt: 'created_at',
          },
        },
      },
    }),
    createSessionPlugin(parts),
  ];
}

/** As an authenticator app lists it; several instances are told apart by their host. */
const issuerName = (publicUrl: string): string => {
  const { hostname } = new URL(publicUrl);
  return hostname === 'localhost' ? 'Errata' : `Errata (${hostname})`;
};
