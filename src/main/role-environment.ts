import type { RoleName } from '../config.ts';

/** A process that the supervisor starts. */
export type RoleProcessName = RoleName | 'prepare';

/**
 * Which processes need a setting that is a secret, or that is only complete with one. Nobody reads `DATABASE_URL` and
 * its like from the environment: the supervisor sends them as the first message.
 */
export const SECRET_SETTINGS: Readonly<Record<string, readonly RoleProcessName[]>> = {
  ERRATA_SECRET: [],
  DATABASE_URL: [],
  CLICKHOUSE_URL: [],
  ERRATA_ADMIN_EMAIL: ['prepare'],
  ERRATA_ADMIN_PASSWORD: ['prepare'],
  ERRATA_ADMIN_PASSWORD_FILE: ['prepare'],
  ERRATA_METRICS_TOKEN: ['edge'],
  ERRATA_SMTP_URL: ['web', 'jobs'],
  ERRATA_MAIL_FROM: ['web', 'jobs'],
  ERRATA_OIDC_ISSUER: ['web'],
  ERRATA_OIDC_CLIENT_ID: ['web'],
  ERRATA_OIDC_CLIENT_SECRET: ['web'],
  ERRATA_OIDC_AUTO_JOIN: ['web'],
};

/** The environment of a process: that of the supervisor without the secrets that are not for it. */
export function roleEnvironment(
  name: RoleProcessName,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(env).filter(([setting]) => SECRET_SETTINGS[setting]?.includes(name) ?? true),
  );
}

/** The supervisor needs it no more once the owner is there; what it was started with the system keeps. */
export function forgetAdminPassword(env: NodeJS.ProcessEnv): void {
  delete env.ERRATA_ADMIN_PASSWORD;
}
