import { BlockList, isIP } from 'node:net';
import { addressGroup, plainIp } from '#lib/address-group.ts';

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
    const hops = (headers.get('x-forwarded-for') ?? '').split(',').map((hop) => plainIp(hop.trim()));
    for (const hop of hops.reverse()) {
      const family = isIP(hop);
      if (family === 0) return 'unknown';
      if (!trusted.check(hop, family === 6 ? 'ipv6' : 'ipv4')) return addressGroup(hop);
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
