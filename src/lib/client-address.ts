import { isIP } from 'node:net';

/** `::ffff:192.0.2.1` is how a dual-stack socket names 192.0.2.1. */
const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const IPV6_PARTS = 8;
const NETWORK_PARTS = 4;

/** The client's address, from the header that the edge writes for every request. null when there is none. */
export function clientAddress(headers: Headers): string | null {
  const last = headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() ?? '';
  return isIP(last) === 0 ? null : last;
}

/** An IPv4 address that is written as an IPv6 one, as IPv4; any other as it is. */
export const plainIp = (ip: string): string => MAPPED_IPV4.exec(ip)?.[1] ?? ip;

/** The key for limits by client: an IPv4 address, or the /64 of an IPv6 address. */
export function addressGroup(ip: string | null): string {
  if (ip === null || ip === '') return 'unknown';
  const plain = plainIp(ip);
  if (isIP(plain) !== 6) return plain;
  const [head = '', tail] = (plain.split('%')[0] ?? '').split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : IPV6_PARTS - before.length - after.length;
  const parts = [...before, ...Array<string>(Math.max(0, zeros)).fill('0'), ...after];
  const network = parts.slice(0, NETWORK_PARTS).map((part) => Number.parseInt(part, 16).toString(16));
  return `${network.join(':')}::/64`;
}
