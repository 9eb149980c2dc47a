import { isIP } from 'node:net';
import { parseIpAddress } from '../normalize/ip-address.ts';

/** The network's first address, 4 or 16 bytes, and how many of its bits all of its addresses share. */
export type IpRange = { bytes: Uint8Array; prefix: number };

/** Reads an address or a CIDR range; null for anything else. Source: relay-filter/src/client_ips.rs */
export function parseIpRange(text: string): IpRange | null {
  const [address = '', prefixText, ...rest] = text.trim().split('/');
  const bytes = bytesOf(address);
  if (bytes === null || rest.length > 0) return null;
  const bits = bytes.length * 8;
  if (prefixText === undefined) return { bytes, prefix: bits };
  return /^\d{1,3}$/.test(prefixText) && Number(prefixText) <= bits
    ? { bytes, prefix: Number(prefixText) }
    : null;
}

/** Whether an address lies in one of the ranges; those that cannot be read are left out. null when none is left. */
export function compileIpRanges(texts: readonly string[]): ((ip: string) => boolean) | null {
  const ranges = texts.flatMap((text) => parseIpRange(text) ?? []);
  if (ranges.length === 0) return null;
  return (ip) => {
    const bytes = bytesOf(parseIpAddress(ip) ?? '');
    return bytes !== null && ranges.some((range) => isWithin(bytes, range));
  };
}

function isWithin(bytes: Uint8Array, range: IpRange): boolean {
  if (bytes.length !== range.bytes.length) return false;
  const whole = range.prefix >> 3;
  for (let index = 0; index < whole; index += 1) if (bytes[index] !== range.bytes[index]) return false;
  const rest = range.prefix & 7;
  if (rest === 0) return true;
  return ((bytes[whole] as number) ^ (range.bytes[whole] as number)) >> (8 - rest) === 0;
}

/** null for what is no address. */
function bytesOf(address: string): Uint8Array | null {
  const version = isIP(address);
  if (version === 0) return null;
  return version === 4 ? Uint8Array.from(address.split('.'), Number) : bytesOfIpv6(address);
}

function bytesOfIpv6(address: string): Uint8Array {
  const [bare = ''] = address.split('%');
  const [head = '', tail] = bare.split('::');
  const first = groupsOf(head);
  const last = tail === undefined ? [] : groupsOf(tail);
  const groups = [...first, ...Array<number>(Math.max(0, 8 - first.length - last.length)).fill(0), ...last];
  return Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
}

/** `2001:db8` and, at the end, `192.0.2.1` as groups of 16 bits. */
function groupsOf(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((part) => {
    if (!part.includes('.')) return [Number.parseInt(part, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number);
    return [(a << 8) | b, (c << 8) | d];
  });
}
