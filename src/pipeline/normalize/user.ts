import type { RequestInfo, UserInfo } from '#protocol/event.ts';
import type { GeoLookup } from '../item.ts';
import { type FieldReader, isSource, type Source, unlessEmpty } from './field-reader.ts';
import { AUTO_IP, parseIpAddress } from './ip-address.ts';
import { NAME_CHARS_MAX, SMALL_JSON_LIMITS } from './limits.ts';

/** Platforms whose SDKs run on the user's own device, so that the sender's address is the user's. */
const DEVICE_PLATFORMS: ReadonlySet<string> = new Set(['javascript', 'cocoa', 'objc']);

const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'email',
  'username',
  'name',
  'ip_address',
  'geo',
  'data',
  'segment',
  'sentry_user',
]);

type UserOptions = {
  platform: string;
  request: RequestInfo | undefined;
  clientIp: string | null;
  lookUpGeo?: GeoLookup;
};

const lookUp = (ip: string | undefined, lookUpGeo: GeoLookup | undefined): UserInfo['geo'] | undefined =>
  (ip !== undefined && lookUpGeo?.(ip)) || undefined;

/** Reads `user`, with its address filled in where the SDK allows it: `{{auto}}`, REMOTE_ADDR, or the sender's. */
export function normalizeUser(
  reader: FieldReader,
  event: Source,
  options: UserOptions,
): UserInfo | undefined {
  const source = reader.object(event, 'user', '') ?? {};
  const ipAddress = ipAddressOf(reader, source, event, options);
  return unlessEmpty<UserInfo>({
    id: reader.text(source, 'id', 'user', NAME_CHARS_MAX),
    email: reader.text(source, 'email', 'user', NAME_CHARS_MAX),
    username: reader.text(source, 'username', 'user', NAME_CHARS_MAX),
    name: reader.text(source, 'name', 'user', NAME_CHARS_MAX),
    ip_address: ipAddress,
    geo: geoOf(reader, source) ?? lookUp(ipAddress, options.lookUpGeo),
    data: dataOf(reader, source),
  });
}

function ipAddressOf(
  reader: FieldReader,
  user: Source,
  event: Source,
  options: UserOptions,
): string | undefined {
  const clientIp = options.clientIp === null ? null : parseIpAddress(options.clientIp);
  const sent = reader.text(user, 'ip_address', 'user', NAME_CHARS_MAX);
  if (sent === AUTO_IP) return clientIp ?? undefined;
  const parsed = sent === undefined ? null : parseIpAddress(sent);
  if (parsed !== null) return parsed;
  if (sent !== undefined) reader.invalid('user', 'ip_address', 'an IP address', sent);
  const remote = options.request?.env?.REMOTE_ADDR;
  if (remote === AUTO_IP) return clientIp ?? undefined;
  const remoteIp = typeof remote === 'string' ? parseIpAddress(remote) : null;
  if (remoteIp !== null) return remoteIp;
  return mayInferIp(event, options.platform) ? (clientIp ?? undefined) : undefined;
}

/** Newer SDKs say in `sdk.settings.infer_ip` whether they allow it; for the others the platform decides. */
function mayInferIp(event: Source, platform: string): boolean {
  const settings = isSource(event.sdk) ? event.sdk.settings : undefined;
  const inferIp = isSource(settings) ? settings.infer_ip : undefined;
  if (inferIp === 'never') return false;
  return inferIp === 'auto' || DEVICE_PLATFORMS.has(platform);
}

function geoOf(reader: FieldReader, user: Source): Record<string, string> | undefined {
  const source = reader.object(user, 'geo', 'user');
  if (source === undefined) return undefined;
  const geo: Record<string, string> = {};
  for (const key of ['country_code', 'city', 'subdivision', 'region']) {
    const value = reader.text(source, key, 'user.geo', NAME_CHARS_MAX);
    if (value !== undefined) geo[key] = value;
  }
  return Object.keys(geo).length === 0 ? undefined : geo;
}

/** `data` of the SDK, with the fields beside the documented ones, which SDKs let people add. */
function dataOf(reader: FieldReader, user: Source): Readonly<Record<string, unknown>> | undefined {
  const custom = Object.entries(user).filter(([key, value]) => !KNOWN_FIELDS.has(key) && value !== null);
  if (typeof user.segment === 'string' && user.segment !== '') custom.push(['segment', user.segment]);
  const sent = reader.object(user, 'data', 'user');
  const data = { ...Object.fromEntries(custom), ...sent };
  return reader.jsonObject({ data }, 'data', 'user', SMALL_JSON_LIMITS);
}
