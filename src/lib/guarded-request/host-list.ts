/** Hosts that somebody allowed: in lower case, `*.` before one for those below it; a port when only that one counts. */
export type AllowedHost = {
  readonly name: string;
  readonly withBelow: boolean;
  readonly port: string | null;
};

const ENTRY = /^(\*\.)?([a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,10})(?::(\d{1,5}))?$/;

/**
 * `cdn.example.com, *.example.org, localhost:8080`. Throws Error with a sentence for what is none. Addresses are none:
 * a name can be moved.
 */
export function parseHostList(text: string): readonly AllowedHost[] {
  return text.split(',').map((part) => {
    const entry = part.trim().toLowerCase();
    const [, below, name = '', port] = ENTRY.exec(entry) ?? [];
    if (name === '' || /^[\d.]+$/.test(name)) {
      throw new Error(`"${part.trim()}" is no host: cdn.example.com, *.example.com or cdn.example.com:8443`);
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
