import { readFileSync, statSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { isAbsolute, normalize, resolve } from 'node:path';
import { parsePostgresAddress } from '#lib/postgres-address.ts';
import { RETENTION_DAYS_MAX, RETENTION_DAYS_MIN } from '#protocol/retention.ts';

export function parsePort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error(`"${text}" is not a port (1 to 65535)`);
  return port;
}

export function parseEmail(text: string): string {
  if (!/^[^\s@]+@[^\s@]+$/.test(text)) throw new Error(`"${text}" is not an email address`);
  return text;
}

export function parsePassword(text: string): string {
  if (text.length < 12) throw new Error('the password is shorter than 12 characters');
  return text;
}

type CountRange = { min: number; max: number; unit: string };

export const SESSION_HOURS: CountRange = { min: 1, max: 8_760, unit: 'hours' };

export const API_REQUESTS_PER_MINUTE: CountRange = { min: 60, max: 1_000_000, unit: 'requests' };

export const DIGEST_THREADS: CountRange = { min: 0, max: 64, unit: 'threads' };

export const DRAIN_SECONDS: CountRange = { min: 0, max: 300, unit: 'seconds' };
export const STOP_GRACE_SECONDS: CountRange = { min: 2, max: 300, unit: 'seconds' };

export const API_CONCURRENT_REQUESTS: CountRange = { min: 1, max: 1_000, unit: 'requests' };

export function parseCount(text: string, { min, max, unit }: CountRange): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < min || count > max) {
    throw new Error(`"${text}" is not a number of ${unit} from ${min} to ${max}`);
  }
  return count;
}

export function parseBytes(text: string, bytesMin: number): number {
  const bytes = Number(text);
  if (!Number.isSafeInteger(bytes)) throw new Error(`"${text}" is not a number of bytes`);
  if (bytes < bytesMin) throw new Error(`${bytes} bytes is too few: use ${bytesMin} or more`);
  return bytes;
}

export function parseDays(text: string): number {
  const days = Number(text);
  if (!Number.isInteger(days) || days < RETENTION_DAYS_MIN || days > RETENTION_DAYS_MAX) {
    throw new Error(`"${text}" is not a number of days (${RETENTION_DAYS_MIN} to ${RETENTION_DAYS_MAX})`);
  }
  return days;
}

export function parseSecret(text: string): string {
  if (text.length < 32) throw new Error('the secret is shorter than 32 characters');
  return text;
}

export function parseToken(text: string): string {
  if (text.length < 32) throw new Error('the token is shorter than 32 characters');
  if (/[^\x21-\x7e]/.test(text)) throw new Error('the token has characters that a header cannot carry');
  return text;
}

export function parseHttpUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error(`"${text}" is not an http or https URL`);
  return url.href.replace(/\/+$/, '');
}

export function parseDatabaseUrl(text: string): string {
  parsePostgresAddress(text);
  return text;
}

export function parseSmtpUrl(text: string): string {
  const url = URL.parse(text);
  // The message must not repeat the password.
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '') {
    throw new Error('not a mail server URL: use smtp://user:password@host:587 or smtps://…:465');
  }
  return text;
}

export function parseMailFrom(text: string): string {
  const address = /^[^<>\r\n]*<([^<>]+)>$/.exec(text)?.[1] ?? text;
  parseEmail(address);
  return text;
}

export function parseProxies(text: string): BlockList {
  const list = new BlockList();
  for (const entry of text.split(',').map((part) => part.trim())) {
    const [address = '', prefix] = entry.split('/');
    const family = isIP(address);
    const bits = prefix === undefined ? (family === 6 ? 128 : 32) : Number(prefix);
    if (family === 0 || !Number.isInteger(bits) || bits < 0 || bits > (family === 6 ? 128 : 32)) {
      throw new Error(`"${entry}" is not an address or a CIDR range`);
    }
    list.addSubnet(address, bits, family === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

export function parseFile(text: string): string {
  const path = resolve(text);
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw new Error(`file not found: ${path}`);
  return path;
}

/** Its content, as editors and secret managers write it: with or without the end of its line. */
export function readSecretFile(path: string): string {
  const content = readFileSync(resolve(path), 'utf8').replace(/\r?\n$/, '');
  if (content === '') throw new Error(`the file is empty: ${path}`);
  return content;
}

export function parseRegions(text: string): ReadonlyMap<string, string> {
  const regions = new Map<string, string>();
  for (const entry of text.split(',')) {
    const [name = '', ...rest] = entry.split('=');
    if (!/^[a-z0-9-]{1,32}$/.test(name.trim())) throw new Error(`"${entry}" is not a name=URL pair`);
    regions.set(name.trim(), parseHttpUrl(rest.join('=').trim()));
  }
  return regions;
}

export function parseOnOff(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new Error(`"${text}" is neither on nor off`);
  return text === 'on';
}

/** Before migrations; null: none is made. `folder` null: where backups lie otherwise. */
export type UpgradeBackupSetting = { folder: string | null } | null;

export function parseUpgradeBackup(text: string): UpgradeBackupSetting {
  if (isAbsolute(text)) return { folder: normalize(text) };
  if (text !== 'on' && text !== 'off') {
    throw new Error(`"${text}" is neither on nor off nor the full path of a folder`);
  }
  return text === 'on' ? { folder: null } : null;
}

export function parseLogLevel(text: string): string {
  const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'];
  if (!levels.includes(text)) throw new Error(`"${text}" is not a log level: ${levels.join(', ')}`);
  return text;
}

/** As written: an issuer is compared letter by letter. */
export function parseIssuer(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new Error(`"${text}" is not an issuer: use a URL like https://id.example.com`);
  }
  const isNear = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
  if (url.protocol === 'http:' && !isNear) throw new Error('the issuer must use https');
  return text;
}

export function parseDomains(text: string): readonly string[] {
  return text.split(',').map((part) => {
    const domain = part.trim().toLowerCase().replace(/^@/, '');
    if (!/^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63}){1,8}$/.test(domain))
      throw new Error(`"${part}" is not a domain`);
    return domain;
  });
}

/** Nobody owns an organization because of where they come from. */
const JOIN_ROLES = ['viewer', 'member', 'admin', 'manager'] as const;

export type JoinRole = (typeof JOIN_ROLES)[number];

export function parseAutoJoin(text: string): { organizationSlug: string; role: JoinRole } {
  const [organizationSlug = '', name = ''] = text.split('=').map((part) => part.trim());
  const role = JOIN_ROLES.find((each) => each === name);
  if (!/^[a-z0-9][a-z0-9_-]{0,49}$/.test(organizationSlug) || !role) {
    throw new Error(`"${text}" is not an organization=role pair with a role of ${JOIN_ROLES.join(', ')}`);
  }
  return { organizationSlug, role };
}
