import { BlockList, isIP } from 'node:net';

/**
 * Whether an address is one that a request on somebody else's word must not reach: of this machine, of its network, of
 * the machine that runs it, or of nobody. `address` as DNS or a URL writes it; what is no address counts as inside.
 * Source: the special-purpose registries of IANA
 * (https://www.iana.org/assignments/iana-ipv4-special-registry, …/iana-ipv6-special-registry).
 */
export function isInsideAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return INSIDE_4.check(address, 'ipv4');
  // A zone (`fe80::1%eth0`) names an interface of this machine.
  if (family !== 6 || address.includes('%')) return true;
  const embedded = embeddedAddress(address);
  if (embedded !== null) return INSIDE_4.check(embedded, 'ipv4');
  return !GLOBAL_6.check(address, 'ipv6') || INSIDE_6.check(address, 'ipv6');
}

const INSIDE_4 = listOf('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  // Behind the NAT of a provider; also the metadata service of one cloud.
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Link-local, with the metadata service of most clouds.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  // Azure answers its machines there: https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
  ['168.63.129.16', 32],
]);

/** Everything that is routed; the rest of IPv6 is local, multicast or unassigned. */
const GLOBAL_6 = listOf('ipv6', [['2000::', 3]]);

const INSIDE_6 = listOf('ipv6', [
  // Protocols, among them Teredo, which hides an IPv4 address.
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4 hides one as well.
  ['2002::', 16],
  ['3fff::', 20],
]);

function listOf(family: 'ipv4' | 'ipv6', subnets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [network, bits] of subnets) list.addSubnet(network, bits, family);
  return list;
}

/** The IPv4 address that an IPv6 address stands for: mapped (::ffff:0:0/96) or translated (NAT64, 64:ff9b::/96). */
function embeddedAddress(address: string): string | null {
  const groups = expand(address);
  const prefix = groups.slice(0, 6).join(' ');
  if (prefix !== '0 0 0 0 0 65535' && prefix !== '100 65435 0 0 0 0') return null;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

/** The eight groups of an IPv6 address. */
function expand(address: string): readonly number[] {
  // As a URL writes it: in hexadecimal, `::` for the longest run of zeros.
  const [head = '', tail = null] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groupsOf = (text: string) => (text === '' ? [] : text.split(':').map((group) => parseInt(group, 16)));
  if (tail === null) return groupsOf(head);
  const before = groupsOf(head);
  const after = groupsOf(tail);
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}
