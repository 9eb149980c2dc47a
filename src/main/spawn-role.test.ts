import { expect, test } from 'vitest';
import { SETTINGS } from '#config/settings.ts';
import { parseConfig, ROLES } from '#config.ts';
import { roleEnvironment, SECRET_SETTINGS } from './spawn-role.ts';

const FULL = {
  PATH: '/usr/bin',
  PORT: '9100',
  ERRATA_SECRET: 'the secret of the instance, 32 characters',
  DATABASE_URL: 'postgres://errata:database-password@db/errata',
  CLICKHOUSE_URL: 'http://errata:clickhouse-password@ch/errata',
  ERRATA_BLOBS_URL: 's3://errors',
  ERRATA_S3_ACCESS_KEY_ID: 'key',
  ERRATA_S3_SECRET_ACCESS_KEY: 'bucket-secret',
  ERRATA_ADMIN_EMAIL: 'ana@example.com',
  ERRATA_ADMIN_PASSWORD: 'admin-password of ana',
  ERRATA_SMTP_URL: 'smtp://errata:smtp-password@mail:587',
  ERRATA_MAIL_FROM: 'errata@example.com',
  ERRATA_OIDC_ISSUER: 'https://id.example.com',
  ERRATA_OIDC_CLIENT_ID: 'errata',
  ERRATA_OIDC_CLIENT_SECRET: 'client-secret',
  ERRATA_OIDC_ALLOWED_DOMAINS: 'example.com',
  ERRATA_OIDC_AUTO_JOIN: 'main=member',
};

const SECRETS = [
  'secret of the instance',
  'database-password',
  'clickhouse-password',
  'admin-password',
  'smtp-password',
  'client-secret',
  'bucket-secret',
];
const secretsOf = (name: (typeof ROLES)[number] | 'prepare') => {
  const text = JSON.stringify(roleEnvironment([name], FULL));
  return SECRETS.filter((secret) => text.includes(secret));
};

test('each process is given the secrets that it needs, and no other', () => {
  expect(secretsOf('prepare')).toEqual(['admin-password']);
  expect(secretsOf('edge')).toEqual(['bucket-secret']);
  expect(secretsOf('digest')).toEqual(['bucket-secret']);
  expect(secretsOf('web')).toEqual(['smtp-password', 'client-secret', 'bucket-secret']);
  expect(secretsOf('jobs')).toEqual(['smtp-password', 'bucket-secret']);
});

test.each([...ROLES, 'prepare'] as const)('what %s is given is a configuration', (name) => {
  expect(parseConfig(roleEnvironment([name], FULL))).toMatchObject({ port: 9100 });
});

test('a setting that may hold a secret says who needs it', () => {
  const names = SETTINGS.map(({ name }) => name);
  const suspicious = names.filter((name) => /SECRET|PASSWORD|TOKEN|_URL$|(^|_)KEY/.test(name));
  expect(suspicious.filter((name) => !(name in SECRET_SETTINGS))).toEqual(['ERRATA_URL']);
  expect(Object.keys(SECRET_SETTINGS).filter((name) => !names.includes(name))).toEqual([]);
});
