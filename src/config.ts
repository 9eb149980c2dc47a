import { existsSync, readFileSync } from 'node:fs';
import type { BlockList } from 'node:net';
import { resolve } from 'node:path';
import { type BlobAddress, parseBlobAddress } from '#lib/blob-address.ts';
import { parseClusterName, withCluster } from '#lib/clickhouse-address.ts';
import { ErrataError, messageOf } from '#lib/errors.ts';
import {
  type AllowedHost,
  type AllowedInside,
  NOTHING_INSIDE,
  parseAllowedInside,
  parseHostList,
} from '#lib/guarded-request/network.ts';
import { type KafkaAddress, type KafkaAuth, parseKafkaAddress } from '#lib/kafka-address.ts';
import { HOUR_MS, SECOND_MS } from '#lib/time.ts';
import {
  chooseMemoryProfile,
  type MemoryProfile,
  type MemoryProfileName,
  memoryProfile,
  parseMemoryProfile,
  readMachineBytes,
} from './config/memory-profile.ts';
import {
  API_CONCURRENT_REQUESTS,
  API_REQUESTS_PER_MINUTE,
  DIGEST_THREADS,
  DRAIN_SECONDS,
  type JoinRole,
  parseAutoJoin,
  parseBytes,
  parseCount,
  parseDatabaseUrl,
  parseDays,
  parseDomains,
  parseEmail,
  parseFile,
  parseHttpUrl,
  parseIssuer,
  parseLogLevel,
  parseMailFrom,
  parseOnOff,
  parsePassword,
  parsePort,
  parseProxies,
  parseRegions,
  parseSecret,
  parseSmtpUrl,
  parseToken,
  parseUpgradeBackup,
  readSecretFile,
  SESSION_HOURS,
  STOP_GRACE_SECONDS,
  type UpgradeBackupSetting,
} from './config/parse-value.ts';
import { SETTINGS } from './config/settings.ts';

export const ROLES = ['edge', 'digest', 'web', 'jobs'] as const;
export type RoleName = (typeof ROLES)[number];

export type Config = {
  port: number;
  host: string;
  /** Where a machine without the edge answers for its health; null: nowhere. */
  healthPort: number | null;
  /** Public address without a trailing slash. */
  publicUrl: string;
  /** Absolute path. */
  dataDir: string;
  /** null: made and kept in the data directory. */
  secret: string | null;
  /** null: made and kept in the data directory. */
  metricsToken: string | null;
  /** null: nobody's forwarding headers count. */
  trustedProxies: BlockList | null;
  /** null: embedded. */
  databaseUrl: string | null;
  /** The same database without the pooler in transaction mode that `databaseUrl` leads to; null: there is none. */
  databaseDirectUrl: string | null;
  /** null: embedded. */
  clickhouseUrl: string | null;
  /** null: files below the data directory. */
  spool: KafkaAddress | null;
  kafkaAuth: KafkaAuth;
  /** null: files below the data directory. */
  blobs: BlobAddress | null;
  /** null: found as the libraries of Amazon find them. */
  s3Credentials: { accessKeyId: string; secretAccessKey: string } | null;
  /** `password` null: it is in the file. */
  admin: { email: string; password: string | null; passwordFile: string } | null;
  sessionLimits: { idleMsMax: number; ageMsMax: number };
  apiLimits: { requestsPerMinuteMax: number; concurrentMax: number };
  spoolBytesMax: number;
  /** Chosen by the memory of the machine where nobody sets it. */
  memory: MemoryProfile;
  clickhouseMemoryBytesMax: number;
  /** Threads that understand events, beside the one that stores them; null: by the processors of the machine. */
  digestThreads: number | null;
  /** What everything below the data directory may occupy; null: 10 GiB, or 80% of the volume if that is less. */
  diskBytesMax: number | null;
  /** How long data is kept where nobody decided otherwise on the storage page. */
  retentionDays: number;
  /** Absolute path of a City database; null: addresses are not looked up. */
  geoipDatabase: string | null;
  /** Region name → address of the instance that takes its envelopes. */
  tunnelRegions: ReadonlyMap<string, string>;
  /** Hosts that may be asked for scripts and their maps; empty: nobody is. */
  sourceMapHosts: readonly AllowedHost[];
  /** What of the private network alert destinations and trackers may lead to. */
  allowedInside: AllowedInside;
  /** null: no mail is sent. */
  smtp: { url: string; from: string } | null;
  /** null: no single sign-on. */
  singleSignOn: SingleSignOnConfig | null;
  /** Of backups; `phrase` null: it is in the file. null: backups are not encrypted. */
  backupKey: { phrase: string | null; file: string } | null;
  upgradeBackup: UpgradeBackupSetting;
  selfReporting: boolean;
  /** From the signal to stop until the edge stops accepting: load balancers see meanwhile that it is about to. */
  drainMs: number;
  /** For what is under way when the machine stops. */
  stopGraceMs: number;
  logLevel: string;
  /** For fault tests: see lib/fault-points.ts. */
  faultPoints: string | null;
};

/** One OpenID Connect provider for the whole instance. */
export type SingleSignOnConfig = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** As it stands on the button. */
  name: string;
  /** Lower case; empty: any. */
  allowedDomains: readonly string[];
  autoJoin: { organizationSlug: string; role: JoinRole } | null;
};

/** Read by the tests and the bench, ignored by the server. */
const IGNORED = /^ERRATA_(TEST_|BENCH_|CORPUS$)/;

/** Reads `.env` of the working directory into the environment; what is set already wins. */
export function loadEnvFile(path = '.env'): void {
  if (existsSync(path)) process.loadEnvFile(path);
}

/**
 * Parses the environment.
 * Throws ErrataError 'invalid' whose message has one line for each unknown name and each bad value.
 */
export function parseConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];
  const known = new Set(SETTINGS.map(({ name }) => name));
  for (const name of Object.keys(env)) {
    if (name.startsWith('ERRATA_') && !known.has(name) && !IGNORED.test(name)) {
      problems.push(`${name} is not an Errata setting${suggest(name, known)}`);
    }
  }
  const read = <T>(name: string, parse: (text: string) => T, fallback: T): T => {
    const text = env[name]?.trim();
    if (!text) return fallback;
    try {
      return parse(text);
    } catch (error) {
      problems.push(`${name}: ${messageOf(error)}`);
      return fallback;
    }
  };

  const port = read('PORT', parsePort, 9000);
  const email = read('ERRATA_ADMIN_EMAIL', parseEmail, '');
  const passwordFile = read('ERRATA_ADMIN_PASSWORD_FILE', (text) => resolve(text), '');
  const password = read('ERRATA_ADMIN_PASSWORD', parsePassword, '');
  const hasPassword = password !== '' || passwordFile !== '';
  if (env.ERRATA_ADMIN_PASSWORD?.trim() && env.ERRATA_ADMIN_PASSWORD_FILE?.trim()) {
    problems.push('ERRATA_ADMIN_PASSWORD and ERRATA_ADMIN_PASSWORD_FILE are both set: keep only one of them');
  }
  if (problems.length === 0 && (email !== '') !== hasPassword) {
    const missing = email === '' ? 'ERRATA_ADMIN_EMAIL' : 'ERRATA_ADMIN_PASSWORD';
    problems.push(`${missing} is missing: the first owner needs an email address and a password`);
  }
  const backupKey = {
    phrase: read<string | null>('ERRATA_BACKUP_KEY', parseSecret, null),
    file: read('ERRATA_BACKUP_KEY_FILE', (text) => resolve(text), ''),
  };
  if (backupKey.phrase !== null && backupKey.file !== '') {
    problems.push('ERRATA_BACKUP_KEY and ERRATA_BACKUP_KEY_FILE are both set: keep only one of them');
  }
  const memory = memoryProfile(
    read<MemoryProfileName>(
      'ERRATA_MEMORY_PROFILE',
      parseMemoryProfile,
      chooseMemoryProfile(readMachineBytes()),
    ),
  );
  const smtpUrl = readSecret(read, 'ERRATA_SMTP_URL', problems, parseSmtpUrl, '');
  const mailFrom = read('ERRATA_MAIL_FROM', parseMailFrom, '');
  if (problems.length === 0 && smtpUrl !== '' && mailFrom === '') {
    problems.push('ERRATA_MAIL_FROM is missing: emails need a sender address');
  }
  const singleSignOn = readSingleSignOn(read, problems);
  const s3Credentials = readS3Credentials(read, problems);
  const spool = read<KafkaAddress | null>('ERRATA_SPOOL_URL', parseKafkaAddress, null);
  const kafkaAuth = readKafkaAuth(read, spool, problems);
  const config: Config = {
    port,
    host: read('ERRATA_HOST', (text) => text, '0.0.0.0'),
    publicUrl: read('ERRATA_URL', parseHttpUrl, `http://localhost:${port}`),
    dataDir: resolve(read('ERRATA_DATA_DIR', (text) => text, './data')),
    healthPort: read<number | null>('ERRATA_HEALTH_PORT', parsePort, null),
    secret: readSecret<string | null>(read, 'ERRATA_SECRET', problems, parseSecret, null),
    metricsToken: readSecret<string | null>(read, 'ERRATA_METRICS_TOKEN', problems, parseToken, null),
    trustedProxies: read<BlockList | null>('ERRATA_TRUSTED_PROXIES', parseProxies, null),
    databaseUrl: readSecret<string | null>(read, 'DATABASE_URL', problems, parseDatabaseUrl, null),
    databaseDirectUrl: readSecret<string | null>(
      read,
      'DATABASE_DIRECT_URL',
      problems,
      parseDatabaseUrl,
      null,
    ),
    clickhouseUrl: readClickhouseUrl(read, problems),
    blobs: read<BlobAddress | null>('ERRATA_BLOBS_URL', parseBlobAddress, null),
    s3Credentials,
    spool,
    kafkaAuth,
    admin: email && hasPassword ? { email, password: password || null, passwordFile } : null,
    sessionLimits: {
      idleMsMax:
        read('ERRATA_SESSION_IDLE_HOURS_MAX', (text) => parseCount(text, SESSION_HOURS), 168) * HOUR_MS,
      ageMsMax: read('ERRATA_SESSION_HOURS_MAX', (text) => parseCount(text, SESSION_HOURS), 720) * HOUR_MS,
    },
    apiLimits: {
      requestsPerMinuteMax: read(
        'ERRATA_API_REQUESTS_PER_MINUTE_MAX',
        (text) => parseCount(text, API_REQUESTS_PER_MINUTE),
        6_000,
      ),
      concurrentMax: read(
        'ERRATA_API_CONCURRENT_REQUESTS_MAX',
        (text) => parseCount(text, API_CONCURRENT_REQUESTS),
        100,
      ),
    },
    spoolBytesMax: read('ERRATA_SPOOL_BYTES_MAX', (text) => parseBytes(text, 1024 * 1024), 2 * 1024 ** 3),
    memory,
    clickhouseMemoryBytesMax: read(
      'ERRATA_CLICKHOUSE_MEMORY_BYTES_MAX',
      (text) => parseBytes(text, 256 * 1024 * 1024),
      memory.clickhouseBytesMax,
    ),
    digestThreads: read<number | null>(
      'ERRATA_DIGEST_THREADS',
      (text) => parseCount(text, DIGEST_THREADS),
      null,
    ),
    diskBytesMax: read<number | null>(
      'ERRATA_DISK_BYTES_MAX',
      (text) => parseBytes(text, 64 * 1024 * 1024),
      null,
    ),
    retentionDays: read('ERRATA_RETENTION_DAYS', parseDays, 90),
    geoipDatabase: read<string | null>('ERRATA_GEOIP_DATABASE', parseFile, null),
    tunnelRegions: read<ReadonlyMap<string, string>>('ERRATA_TUNNEL_REGIONS', parseRegions, new Map()),
    sourceMapHosts: read<readonly AllowedHost[]>('ERRATA_FETCH_SOURCE_MAPS_FROM', parseHostList, []),
    allowedInside: read('ERRATA_ALLOW_INSIDE_ADDRESSES', parseAllowedInside, NOTHING_INSIDE),
    smtp: smtpUrl && mailFrom ? { url: smtpUrl, from: mailFrom } : null,
    singleSignOn,
    backupKey: backupKey.phrase === null && backupKey.file === '' ? null : backupKey,
    upgradeBackup: read<UpgradeBackupSetting>('ERRATA_UPGRADE_BACKUP', parseUpgradeBackup, { folder: null }),
    selfReporting: read('ERRATA_SELF_REPORTING', parseOnOff, true),
    drainMs: read('ERRATA_DRAIN_SECONDS', (text) => parseCount(text, DRAIN_SECONDS), 0) * SECOND_MS,
    stopGraceMs:
      read('ERRATA_STOP_GRACE_SECONDS', (text) => parseCount(text, STOP_GRACE_SECONDS), 6) * SECOND_MS,
    logLevel: read('ERRATA_LOG_LEVEL', parseLogLevel, 'info'),
    faultPoints: read<string | null>('ERRATA_FAULT_POINTS', (text) => text, null),
  };
  if (config.databaseDirectUrl !== null && config.databaseUrl === null && problems.length === 0)
    problems.push('DATABASE_URL is missing: DATABASE_DIRECT_URL only says how to go around its pooler');
  if (problems.length > 0) throw new ErrataError('invalid', problems.join('\n'));
  return config;
}

type Read = <T>(name: string, parse: (text: string) => T, fallback: T) => T;

function readSingleSignOn(read: Read, problems: string[]): SingleSignOnConfig | null {
  const required = {
    ERRATA_OIDC_ISSUER: read('ERRATA_OIDC_ISSUER', parseIssuer, ''),
    ERRATA_OIDC_CLIENT_ID: read('ERRATA_OIDC_CLIENT_ID', asIs, ''),
    ERRATA_OIDC_CLIENT_SECRET: readSecret(read, 'ERRATA_OIDC_CLIENT_SECRET', problems, asIs, ''),
  };
  const name = read('ERRATA_OIDC_NAME', asIs, 'single sign-on');
  const allowedDomains = read('ERRATA_OIDC_ALLOWED_DOMAINS', parseDomains, []);
  const autoJoin = read<SingleSignOnConfig['autoJoin']>('ERRATA_OIDC_AUTO_JOIN', parseAutoJoin, null);
  if (problems.length > 0 || Object.values(required).every((value) => value === '')) return null;
  for (const [setting, value] of Object.entries(required)) {
    if (value === '')
      problems.push(`${setting} is missing: single sign-on needs an issuer, a client ID and a client secret`);
  }
  if (autoJoin && allowedDomains.length === 0) {
    problems.push(
      'ERRATA_OIDC_AUTO_JOIN needs ERRATA_OIDC_ALLOWED_DOMAINS: otherwise everyone at the provider could join',
    );
  }
  return {
    issuer: required.ERRATA_OIDC_ISSUER,
    clientId: required.ERRATA_OIDC_CLIENT_ID,
    clientSecret: required.ERRATA_OIDC_CLIENT_SECRET,
    name,
    allowedDomains,
    autoJoin,
  };
}

/** Names the cluster as well, where there is one. */
function readClickhouseUrl(read: Read, problems: string[]): string | null {
  const url = readSecret<string | null>(read, 'CLICKHOUSE_URL', problems, parseHttpUrl, null);
  const cluster = read<string | null>('CLICKHOUSE_CLUSTER', parseClusterName, null);
  if (cluster === null) return url;
  if (problems.length === 0 && url === null)
    problems.push(
      'CLICKHOUSE_URL is missing: the cluster of CLICKHOUSE_CLUSTER is found at one of its servers',
    );
  return url && withCluster(url, cluster);
}

function readS3Credentials(read: Read, problems: string[]): Config['s3Credentials'] {
  const accessKeyId = read('ERRATA_S3_ACCESS_KEY_ID', asIs, '');
  const secretAccessKey = readSecret(read, 'ERRATA_S3_SECRET_ACCESS_KEY', problems, asIs, '');
  if (problems.length > 0) return null;
  if ((accessKeyId !== '') !== (secretAccessKey !== '')) {
    const missing = accessKeyId === '' ? 'ERRATA_S3_ACCESS_KEY_ID' : 'ERRATA_S3_SECRET_ACCESS_KEY';
    problems.push(`${missing} is missing: a key needs its ID and its secret`);
  }
  return accessKeyId === '' ? null : { accessKeyId, secretAccessKey };
}

function readKafkaAuth(read: Read, spool: KafkaAddress | null, problems: string[]): KafkaAuth {
  const username = read('ERRATA_KAFKA_USERNAME', asIs, '') || null;
  const password = readSecret(read, 'ERRATA_KAFKA_PASSWORD', problems, asIs, '') || null;
  const authority = read('ERRATA_KAFKA_CA_FILE', readSecretFile, '') || null;
  if (problems.length === 0 && spool?.mechanism && (username === null || password === null)) {
    const missing = username === null ? 'ERRATA_KAFKA_USERNAME' : 'ERRATA_KAFKA_PASSWORD';
    problems.push(`${missing} is missing: the sasl of ERRATA_SPOOL_URL needs a user name and a password`);
  }
  return { username, password, authority };
}

/** From the setting, or from the file that `<setting>_FILE` names; the fallback when neither is set. */
function readSecret<T>(
  read: Read,
  name: string,
  problems: string[],
  parse: (text: string) => T,
  fallback: T,
): T {
  const inline = read<T | null>(name, parse, null);
  const fromFile = read<T | null>(`${name}_FILE`, (path) => parse(readSecretFile(path)), null);
  if (inline !== null && fromFile !== null)
    problems.push(`${name} and ${name}_FILE are both set: keep only one of them`);
  return inline ?? fromFile ?? fallback;
}

const asIs = (text: string): string => text;

/**
 * The password of the first owner. Its file is read when the owner is created and not before: it may be gone afterwards,
 * and the command line may run as somebody who cannot read it.
 */
export function readAdminPassword({ password, passwordFile }: NonNullable<Config['admin']>): string {
  if (password !== null) return password;
  try {
    // As editors and secret managers write it: with or without the end of its line.
    return parsePassword(readFileSync(passwordFile, 'utf8').replace(/\r?\n$/, ''));
  } catch (error) {
    throw new Error(`ERRATA_ADMIN_PASSWORD_FILE: ${passwordFile} cannot be read: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** The key of backups, which is read when it is needed; null when there is none. */
export function readBackupKey({ backupKey }: Pick<Config, 'backupKey'>): string | null {
  if (backupKey === null || backupKey.phrase !== null) return backupKey?.phrase ?? null;
  try {
    return parseSecret(readFileSync(backupKey.file, 'utf8').replace(/\r?\n$/, ''));
  } catch (error) {
    throw new ErrataError(
      'invalid',
      `ERRATA_BACKUP_KEY_FILE: ${backupKey.file} cannot be read: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

function suggest(name: string, known: ReadonlySet<string>): string {
  const words = new Set(name.split('_').slice(1));
  let best = { name: '', shared: 0 };
  for (const candidate of known) {
    const shared = candidate.split('_').filter((word) => words.has(word)).length;
    if (shared > best.shared) best = { name: candidate, shared };
  }
  return best.shared > 0
    ? `: did you mean ${best.name}?`
    : ': remove it, or see the table of settings in docs/operate.md';
}
