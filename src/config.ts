import { existsSync, readFileSync, statSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { resolve } from 'node:path';
import { ErrataError } from '#lib/errors.ts';
import { type AllowedInside, NOTHING_INSIDE, parseAllowedInside } from '#lib/guarded-request/network.ts';
import { HOUR_MS } from '#lib/time.ts';
import { RETENTION_DAYS_MAX, RETENTION_DAYS_MIN } from '#protocol/retention.ts';
import { type AllowedHost, parseHostList } from './lib/guarded-request/network.ts';

export const ROLES = ['edge', 'digest', 'web', 'jobs'] as const;
export type RoleName = (typeof ROLES)[number];

export type Config = {
  port: number;
  host: string;
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
  /** null: embedded. */
  clickhouseUrl: string | null;
  /** `password` null: it is in the file. */
  admin: { email: string; password: string | null; passwordFile: string } | null;
  sessionLimits: { idleMsMax: number; ageMsMax: number };
  apiLimits: { requestsPerMinuteMax: number; concurrentMax: number };
  spoolBytesMax: number;
  clickhouseMemoryBytesMax: number;
  /** What everything below the data directory may occupy; null: 10 GiB, or 80 % of the volume when that is less. */
  diskBytesMax: number | null;
  /** How long data is kept where nobody decided otherwise on the storage page. */
  retentionDays: number;
  /** Absolute path of a City database; null: addresses are not looked up. */
  geoipDatabase: string | null;
  /** Region name → address of the instance that takes its envelopes. */
  tunnelRegions: ReadonlyMap<string, string>;
  /** Hosts that may be asked for scripts and their maps; empty: nobody is. */
  sourceMapHosts: readonly AllowedHost[];
  /** What of the inner network alert destinations and trackers may lead to. */
  allowedInside: AllowedInside;
  /** null: no mail is sent. */
  smtp: { url: string; from: string } | null;
  /** null: no single sign-on. */
  singleSignOn: SingleSignOnConfig | null;
  selfReporting: boolean;
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

type Setting = {
  name: string;
  /** As written in the documentation; empty when there is none. */
  default: string;
  meaning: string;
};

/** Every setting, in the order of the documentation (docs/operate.md holds the same table; a test compares). */
export const SETTINGS: readonly Setting[] = [
  { name: 'PORT', default: '9000', meaning: 'The one public port: pages, API and ingest.' },
  { name: 'ERRATA_HOST', default: '0.0.0.0', meaning: 'The address to listen on.' },
  {
    name: 'ERRATA_URL',
    default: 'http://localhost:<PORT>',
    meaning:
      'The public address, as people and SDKs reach it. Decides links, DSNs and whether cookies are Secure (https). Plain http on a LAN works.',
  },
  { name: 'ERRATA_DATA_DIR', default: './data', meaning: 'Everything that is kept lies below it.' },
  {
    name: 'ERRATA_SECRET',
    default: 'made on first start, kept in the data directory (mode 0600)',
    meaning: 'Signs sessions; 32 characters or more. Set it when several machines run the web role.',
  },
  {
    name: 'ERRATA_METRICS_TOKEN',
    default: 'made on first start, kept in the data directory (mode 0600)',
    meaning: 'Bearer token for /metrics and for the details of /health/ready; 32 characters or more.',
  },
  {
    name: 'ERRATA_TRUSTED_PROXIES',
    default: '',
    meaning: 'Addresses or CIDR ranges, comma-separated, whose X-Forwarded-For and X-Forwarded-Proto count.',
  },
  {
    name: 'DATABASE_URL',
    default: 'embedded PostgreSQL',
    meaning: 'An external PostgreSQL, 15 or newer: postgres://user:password@host:5432/errata',
  },
  {
    name: 'CLICKHOUSE_URL',
    default: 'embedded ClickHouse',
    meaning: 'An external ClickHouse, 25.8 or newer, over HTTP: http://user:password@host:8123/errata',
  },
  {
    name: 'ERRATA_ADMIN_EMAIL',
    default: '',
    meaning: 'With ERRATA_ADMIN_PASSWORD: the first start makes the owner, the organization and a project.',
  },
  {
    name: 'ERRATA_ADMIN_PASSWORD',
    default: '',
    meaning:
      '12 characters or more, hard to guess. Used on the first start only; no role has it in its environment.',
  },
  {
    name: 'ERRATA_ADMIN_PASSWORD_FILE',
    default: '',
    meaning:
      'A file that holds the password, in place of ERRATA_ADMIN_PASSWORD, so that it is never in an environment variable.',
  },
  {
    name: 'ERRATA_SESSION_IDLE_HOURS_MAX',
    default: '168',
    meaning: 'Hours after which a session that is not used ends, 1 to 8760.',
  },
  {
    name: 'ERRATA_SESSION_HOURS_MAX',
    default: '720',
    meaning: 'Hours after which a session ends in any case, 1 to 8760.',
  },
  {
    name: 'ERRATA_API_REQUESTS_PER_MINUTE_MAX',
    default: '6000',
    meaning:
      'Requests to /api/0/ in a minute of one user, with all their tokens, or of one token of an organization, 60 to 1000000.',
  },
  {
    name: 'ERRATA_API_CONCURRENT_REQUESTS_MAX',
    default: '100',
    meaning: 'Requests to /api/0/ that one of these may have under way at once, 1 to 1000.',
  },
  {
    name: 'ERRATA_SPOOL_BYTES_MAX',
    default: '2147483648',
    meaning: 'Bytes that may wait between edge and digest; beyond it SDKs get 503 with Retry-After.',
  },
  {
    name: 'ERRATA_CLICKHOUSE_MEMORY_BYTES_MAX',
    default: '536870912',
    meaning: 'What the embedded ClickHouse may allocate, in bytes.',
  },
  {
    name: 'ERRATA_DISK_BYTES_MAX',
    default: '10 GiB, or 80 % of the volume when that is less',
    meaning:
      'What everything below the data directory may occupy, in bytes. Data is dropped before it is passed.',
  },
  {
    name: 'ERRATA_RETENTION_DAYS',
    default: '90',
    meaning: 'Days that data is kept, 1 to 3650, where nobody decided otherwise on the storage page.',
  },
  {
    name: 'ERRATA_GEOIP_DATABASE',
    default: '',
    meaning:
      'A City database in the MMDB format, for example GeoLite2-City.mmdb: country and city of users by their address. A newer file is taken within a minute.',
  },
  {
    name: 'ERRATA_TUNNEL_REGIONS',
    default: '',
    meaning:
      'Regions of the error-reporting tunnel, comma-separated name=address pairs: eu=https://errors.example.eu',
  },
  {
    name: 'ERRATA_FETCH_SOURCE_MAPS_FROM',
    default: '',
    meaning:
      'Hosts, comma-separated, whose public scripts are asked for their source maps when none was uploaded: cdn.example.com, *.example.com. Empty: nothing is fetched. Addresses of inner networks never are. See docs/source-maps.md.',
  },
  {
    name: 'ERRATA_ALLOW_INSIDE_ADDRESSES',
    default: '',
    meaning:
      'Addresses, ranges and names of inner networks, comma-separated, that alert destinations and trackers may lead to: 10.0.0.0/8, hooks.lan, *.corp.example. Empty: none may. See docs/destinations.md.',
  },
  {
    name: 'ERRATA_SMTP_URL',
    default: '',
    meaning:
      'The server that sends mail: smtp://user:password@host:587 (STARTTLS) or smtps://user:password@host:465. Without it links are shown to copy.',
  },
  {
    name: 'ERRATA_MAIL_FROM',
    default: '',
    meaning: 'With ERRATA_SMTP_URL: who mails come from, for example Errata <errata@example.com>.',
  },
  {
    name: 'ERRATA_OIDC_ISSUER',
    default: '',
    meaning:
      'Single sign-on: the issuer of an OpenID Connect provider, as its discovery document writes it. Register <ERRATA_URL>/login/sso/callback there. See docs/accounts.md.',
  },
  {
    name: 'ERRATA_OIDC_CLIENT_ID',
    default: '',
    meaning: 'With ERRATA_OIDC_ISSUER: the name of this client at the provider.',
  },
  { name: 'ERRATA_OIDC_CLIENT_SECRET', default: '', meaning: 'With ERRATA_OIDC_ISSUER: its secret.' },
  {
    name: 'ERRATA_OIDC_NAME',
    default: 'single sign-on',
    meaning: 'What the button says: “Continue with <name>”.',
  },
  {
    name: 'ERRATA_OIDC_ALLOWED_DOMAINS',
    default: '',
    meaning: 'Domains of e-mail addresses, comma-separated, that may sign in this way. Empty: any.',
  },
  {
    name: 'ERRATA_OIDC_AUTO_JOIN',
    default: '',
    meaning:
      'organization=role, for example main=member: people of the allowed domains without an account get one. Empty: only people who have an account or are invited.',
  },
  {
    name: 'ERRATA_SELF_REPORTING',
    default: 'on',
    meaning: 'on or off: whether the app reports its own errors to the project errata-self.',
  },
  { name: 'ERRATA_LOG_LEVEL', default: 'info', meaning: 'fatal, error, warn, info, debug or silent.' },
  { name: 'ERRATA_FAULT_POINTS', default: '', meaning: 'For fault tests only; see docs/testing.md.' },
];

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
      problems.push(`${name} is no setting of Errata${suggest(name, known)}`);
    }
  }
  const read = <T>(name: string, parse: (text: string) => T, fallback: T): T => {
    const text = env[name]?.trim();
    if (!text) return fallback;
    try {
      return parse(text);
    } catch (error) {
      problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      return fallback;
    }
  };

  const port = read('PORT', parsePort, 9000);
  const email = read('ERRATA_ADMIN_EMAIL', parseEmail, '');
  const passwordFile = read('ERRATA_ADMIN_PASSWORD_FILE', (text) => resolve(text), '');
  const password = read('ERRATA_ADMIN_PASSWORD', parsePassword, '');
  const hasPassword = password !== '' || passwordFile !== '';
  if (env.ERRATA_ADMIN_PASSWORD?.trim() && env.ERRATA_ADMIN_PASSWORD_FILE?.trim()) {
    problems.push('ERRATA_ADMIN_PASSWORD and ERRATA_ADMIN_PASSWORD_FILE are both set: keep one of them');
  }
  if (problems.length === 0 && (email !== '') !== hasPassword) {
    const missing = email === '' ? 'ERRATA_ADMIN_EMAIL' : 'ERRATA_ADMIN_PASSWORD';
    problems.push(`${missing} is missing: the first owner needs an e-mail address and a password`);
  }
  const smtpUrl = read('ERRATA_SMTP_URL', parseSmtpUrl, '');
  const mailFrom = read('ERRATA_MAIL_FROM', parseMailFrom, '');
  if (problems.length === 0 && smtpUrl !== '' && mailFrom === '') {
    problems.push('ERRATA_MAIL_FROM is missing: mails need an address that they come from');
  }
  const singleSignOn = readSingleSignOn(read, problems);
  const config: Config = {
    port,
    host: read('ERRATA_HOST', (text) => text, '0.0.0.0'),
    publicUrl: read('ERRATA_URL', parseHttpUrl, `http://localhost:${port}`),
    dataDir: resolve(read('ERRATA_DATA_DIR', (text) => text, './data')),
    secret: read<string | null>('ERRATA_SECRET', parseSecret, null),
    metricsToken: read<string | null>('ERRATA_METRICS_TOKEN', parseToken, null),
    trustedProxies: read<BlockList | null>('ERRATA_TRUSTED_PROXIES', parseProxies, null),
    databaseUrl: read<string | null>('DATABASE_URL', parseDatabaseUrl, null),
    clickhouseUrl: read<string | null>('CLICKHOUSE_URL', parseHttpUrl, null),
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
    clickhouseMemoryBytesMax: read(
      'ERRATA_CLICKHOUSE_MEMORY_BYTES_MAX',
      (text) => parseBytes(text, 256 * 1024 * 1024),
      512 * 1024 * 1024,
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
    selfReporting: read('ERRATA_SELF_REPORTING', parseOnOff, true),
    logLevel: read('ERRATA_LOG_LEVEL', parseLogLevel, 'info'),
    faultPoints: read<string | null>('ERRATA_FAULT_POINTS', (text) => text, null),
  };
  if (problems.length > 0) throw new ErrataError('invalid', problems.join('\n'));
  return config;
}

type Read = <T>(name: string, parse: (text: string) => T, fallback: T) => T;

function readSingleSignOn(read: Read, problems: string[]): SingleSignOnConfig | null {
  const asIs = (text: string) => text;
  const required = {
    ERRATA_OIDC_ISSUER: read('ERRATA_OIDC_ISSUER', parseIssuer, ''),
    ERRATA_OIDC_CLIENT_ID: read('ERRATA_OIDC_CLIENT_ID', asIs, ''),
    ERRATA_OIDC_CLIENT_SECRET: read('ERRATA_OIDC_CLIENT_SECRET', asIs, ''),
  };
  const name = read('ERRATA_OIDC_NAME', asIs, 'single sign-on');
  const allowedDomains = read('ERRATA_OIDC_ALLOWED_DOMAINS', parseDomains, []);
  const autoJoin = read<SingleSignOnConfig['autoJoin']>('ERRATA_OIDC_AUTO_JOIN', parseAutoJoin, null);
  if (problems.length > 0 || Object.values(required).every((value) => value === '')) return null;
  for (const [setting, value] of Object.entries(required)) {
    if (value === '')
      problems.push(`${setting} is missing: single sign-on needs issuer, client id and secret`);
  }
  if (autoJoin && allowedDomains.length === 0) {
    problems.push(
      'ERRATA_OIDC_AUTO_JOIN needs ERRATA_OIDC_ALLOWED_DOMAINS: else everybody there would get in',
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

/** As written: an issuer is compared letter by letter. */
function parseIssuer(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new Error(`"${text}" is no issuer: https://id.example.com`);
  }
  const isNear = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
  if (url.protocol === 'http:' && !isNear) throw new Error('an issuer needs https');
  return text;
}

function parseDomains(text: string): readonly string[] {
  return text.split(',').map((part) => {
    const domain = part.trim().toLowerCase().replace(/^@/, '');
    if (!/^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63}){1,8}$/.test(domain)) throw new Error(`"${part}" is no domain`);
    return domain;
  });
}

/** Nobody owns an organization because of where they come from. */
const JOIN_ROLES = ['viewer', 'member', 'admin', 'manager'] as const;
type JoinRole = (typeof JOIN_ROLES)[number];

function parseAutoJoin(text: string): { organizationSlug: string; role: JoinRole } {
  const [organizationSlug = '', name = ''] = text.split('=').map((part) => part.trim());
  const role = JOIN_ROLES.find((each) => each === name);
  if (!/^[a-z0-9][a-z0-9_-]{0,49}$/.test(organizationSlug) || !role) {
    throw new Error(`"${text}" is no organization=role pair with a role of ${JOIN_ROLES.join(', ')}`);
  }
  return { organizationSlug, role };
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error(`"${text}" is no port (1 to 65535)`);
  return port;
}

function parseEmail(text: string): string {
  if (!/^[^\s@]+@[^\s@]+$/.test(text)) throw new Error(`"${text}" is no e-mail address`);
  return text;
}

function parsePassword(text: string): string {
  if (text.length < 12) throw new Error('the password is shorter than 12 characters');
  return text;
}

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
    throw new Error(
      `ERRATA_ADMIN_PASSWORD_FILE: ${passwordFile} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}

type CountRange = { min: number; max: number; unit: string };
const SESSION_HOURS: CountRange = { min: 1, max: 8_760, unit: 'hours' };
const API_REQUESTS_PER_MINUTE: CountRange = { min: 60, max: 1_000_000, unit: 'requests' };
const API_CONCURRENT_REQUESTS: CountRange = { min: 1, max: 1_000, unit: 'requests' };

function parseCount(text: string, { min, max, unit }: CountRange): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < min || count > max) {
    throw new Error(`"${text}" is not a number of ${unit} from ${min} to ${max}`);
  }
  return count;
}

function parseSecret(text: string): string {
  if (text.length < 32) throw new Error('the secret is shorter than 32 characters');
  return text;
}

function parseToken(text: string): string {
  if (text.length < 32) throw new Error('the token is shorter than 32 characters');
  if (/[^\x21-\x7e]/.test(text)) throw new Error('the token has characters that a header cannot carry');
  return text;
}

function parseHttpUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error(`"${text}" is no http or https address`);
  return url.href.replace(/\/+$/, '');
}

function parseDatabaseUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw new Error('no PostgreSQL address: postgres://user:password@host:5432/database');
  }
  return text;
}

function parseSmtpUrl(text: string): string {
  const url = URL.parse(text);
  // The message must not repeat the password.
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '') {
    throw new Error('no address of a mail server: smtp://user:password@host:587 or smtps://…:465');
  }
  return text;
}

function parseMailFrom(text: string): string {
  const address = /^[^<>\r\n]*<([^<>]+)>$/.exec(text)?.[1] ?? text;
  parseEmail(address);
  return text;
}

function parseBytes(text: string, bytesMin: number): number {
  const bytes = Number(text);
  if (!Number.isSafeInteger(bytes)) throw new Error(`"${text}" is no number of bytes`);
  if (bytes < bytesMin) throw new Error(`${bytes} bytes are too few: ${bytesMin} or more`);
  return bytes;
}

function parseDays(text: string): number {
  const days = Number(text);
  if (!Number.isInteger(days) || days < RETENTION_DAYS_MIN || days > RETENTION_DAYS_MAX) {
    throw new Error(`"${text}" is no number of days (${RETENTION_DAYS_MIN} to ${RETENTION_DAYS_MAX})`);
  }
  return days;
}

function parseProxies(text: string): BlockList {
  const list = new BlockList();
  for (const entry of text.split(',').map((part) => part.trim())) {
    const [address = '', prefix] = entry.split('/');
    const family = isIP(address);
    const bits = prefix === undefined ? (family === 6 ? 128 : 32) : Number(prefix);
    if (family === 0 || !Number.isInteger(bits) || bits < 0 || bits > (family === 6 ? 128 : 32)) {
      throw new Error(`"${entry}" is no address and no CIDR range`);
    }
    list.addSubnet(address, bits, family === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

function parseFile(text: string): string {
  const path = resolve(text);
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw new Error(`there is no file ${path}`);
  return path;
}

function parseRegions(text: string): ReadonlyMap<string, string> {
  const regions = new Map<string, string>();
  for (const entry of text.split(',')) {
    const [name = '', ...rest] = entry.split('=');
    if (!/^[a-z0-9-]{1,32}$/.test(name.trim())) throw new Error(`"${entry}" is no name=address pair`);
    regions.set(name.trim(), parseHttpUrl(rest.join('=').trim()));
  }
  return regions;
}

function parseOnOff(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new Error(`"${text}" is neither on nor off`);
  return text === 'on';
}

function parseLogLevel(text: string): string {
  const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'];
  if (!levels.includes(text)) throw new Error(`"${text}" is no level: ${levels.join(', ')}`);
  return text;
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
