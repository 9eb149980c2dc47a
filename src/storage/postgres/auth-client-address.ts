import { BlockList, isIP } from 'node:net';

/** Tells the address of the client from the headers of a request; `unknown` when no hop names a valid one. */
export type ClientAddressResolver = (headers: Headers) => string;

/**
 * The edge appends the address of whoever connected to it to `X-Forwarded-For`, so only the right end can be
 * believed: hops are dropped from there while they are trusted proxies, and the next one is the client.
 * IPv6 addresses are cut to their /64, the smallest piece that one customer gets.
 */
export function createClientAddressResolver(trustedProxies: readonly string[]): ClientAddressResolver {
  const trusted = toBlockList(trustedProxies);
  return (headers) => {
    const hops = (headers.get('x-forwarded-for') ?? '').split(',').map((hop) => unmap(hop.trim()));
    for (const hop of hops.reverse()) {
      const family = isIP(hop);
      if (family === 0) return 'unknown';
      if (!trusted.check(hop, family === 6 ? 'ipv6' : 'ipv4')) return family === 6 ? cutToPrefix64(hop) : hop;
    }
    return 'unknown';
  };
}

function toBlockList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

/** `::ffff:192.0.2.1` is the way a dual-stack socket names 192.0.2.1. */
function unmap(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  return mapped?.[1] ?? address;
}

function cutToPrefix64(address: string): string {
  const [head = '', tail] = address.toLowerCase().split('%')[0]!.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const groups =
    tail === undefined
      ? left
      : [...left, ...Array(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
