/** What tells whether something was sent from a developer's own machine. */
export type LocalFacts = {
  /** The user's address, as the event says it. */
  ipAddress?: string | null;
  /** The address of the page or request. */
  url?: string | null;
  headers?: readonly (readonly [string, string])[] | null;
};

const LOCAL_ADDRESSES: ReadonlySet<string> = new Set(['127.0.0.1', '::1']);
const LOCAL_DOMAINS = ['127.0.0.1', 'localhost'];

/** Source: relay-filter/src/localhost.rs */
export function isFromLocalhost({ ipAddress, url, headers }: LocalFacts): boolean {
  if (ipAddress && LOCAL_ADDRESSES.has(ipAddress)) return true;
  const parsed = url ? URL.parse(url) : null;
  if (parsed) {
    if (parsed.protocol === 'file:') return true;
    const host = parsed.hostname;
    if (LOCAL_DOMAINS.some((domain) => host === domain || host.endsWith(`.${domain}`))) return true;
  }
  const forwardedFor = headerOf(headers, 'x-forwarded-for');
  if (forwardedFor !== undefined && LOCAL_ADDRESSES.has(forwardedFor)) return true;
  if (parsed) return false;
  return ['host', 'x-forwarded-host'].some((name) => {
    const host = headerOf(headers, name)?.split(':', 1)[0];
    return host !== undefined && LOCAL_DOMAINS.includes(host);
  });
}

/** The first header of the name, which is given in lower case. */
export const headerOf = (headers: LocalFacts['headers'], name: string): string | undefined =>
  headers?.find(([sent]) => sent.length === name.length && sent.toLowerCase() === name)?.[1];
