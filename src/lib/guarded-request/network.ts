import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { isInsideAddress } from './inside-address.ts';

/** What stands between a name and the wire; tests put their own in its place. */
export type Network = {
  /** Every address of a name. */
  lookup: (name: string) => Promise<readonly string[]>;
  /** Whether the address must not be connected to, for a request to this URL. */
  isInside: (address: string, url: URL) => boolean;
};

export const INTERNET: Network = {
  lookup: async (name) =>
    (await lookup(name, { all: true, order: 'ipv4first' })).map(({ address }) => address),
  isInside: (address) => isInsideAddress(address),
};

/** What of the inside an operator opened: addresses, and names wherever they lead. */
export type AllowedInside = { readonly addresses: BlockList; readonly hosts: readonly AllowedHost[] };

/** `10.0.0.0/8, 192.168.1.5, hooks.lan, *.corp.example:8443`. Throws Error with a sentence for what is none. */
export function parseAllowedInside(text: string): AllowedInside {
  const addresses = new BlockList();
  const hosts: AllowedHost[] = [];
  for (const entry of text.split(',').map((part) => part.trim())) {
    const [address = '', prefix] = entry.split('/');
    const family = isIP(address);
    if (family === 0) {
      hosts.push(...parseHostList(entry));
      continue;
    }
    const bitsMax = family === 6 ? 128 : 32;
    const bits = prefix === undefined ? bitsMax : Number(prefix);
    if (prefix === '' || !Number.isInteger(bits) || bits < 0 || bits > bitsMax) {
      throw new Error(`"${entry}" is not an address range: use one like 10.0.0.0/8`);
    }
    addresses.addSubnet(address, bits, family === 6 ? 'ipv6' : 'ipv4');
  }
  return { addresses, hosts };
}

export const NOTHING_INSIDE: AllowedInside = { addresses: new BlockList(), hosts: [] };

/** The internet, and what of the inside is allowed. */
export const networkWith = ({ addresses, hosts }: AllowedInside): Network => ({
  ...INTERNET,
  isInside: (address, url) =>
    INTERNET.isInside(address, url) &&
    !isAllowedHost(hosts, url) &&
    !(isIP(address) !== 0 && addresses.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')),
});

/** Hosts that somebody allowed: in lower case, `*.` before one for those below it; a port when only that one counts. */
export type AllowedHost = {
  readonly name: string;
  readonly withBelow: boolean;
  readonly port: string | null;
};

const ENTRY = /^(\*\.)?([a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,10})(?::(\d{1,5}))?$/;

/** `cdn.example.com, *.example.org, localhost:8080`. Throws Error for anything else, IP addresses included. */
export function parseHostList(text: string): readonly AllowedHost[] {
  return text.split(',').map((part) => {
    const entry = part.trim().toLowerCase();
    const [, below, name = '', port] = ENTRY.exec(entry) ?? [];
    if (name === '' || /^[\d.]+$/.test(name)) {
      throw new Error(
        `"${part.trim()}" is not a host: use cdn.example.com, *.example.com or cdn.example.com:8443`,
      );
    }
    return { name, withBelow: below !== undefined, port: port ?? null };
  });
}

/** Without a port in the list only the usual one of http and https counts. */
export function isAllowedHost(hosts: readonly AllowedHost[], url: URL): boolean {
  const name = url.hostname.toLowerCase().replace(/\.$/, '');
  return hosts.some(
    (host) =>
      (host.withBelow ? name.endsWith(`.${host.name}`) : name === host.name) &&
      (host.port === null ? url.port === '' : (url.port || usualPort(url)) === host.port),
  );
}

const usualPort = (url: URL): string => (url.protocol === 'https:' ? '443' : '80');
