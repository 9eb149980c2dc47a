/** What a browser writes for the page's own origin. */
export const isOwnOrigin = (uri: string): boolean => uri === '' || uri === 'self' || uri === "'self'";

/** Schemes after which an address has a host. */
const SCHEMES_WITH_HOST: ReadonlySet<string> = new Set([
  ...['file', 'ftp', 'git', 'git+ssh', 'gopher', 'http', 'https', 'imap', 'mms', 'nfs', 'nntp', 'prospero'],
  ...['rsync', 'rtsp', 'rtspu', 'sftp', 'shttp', 'snews', 'svn', 'svn+ssh', 'telnet', 'wais', 'ws', 'wss'],
]);

/**
 * Where something came from, for people: `cdn.example:8443`, `wss://host`, `data:`, `'self'`.
 * Source: `normalize_uri` in relay-event-schema/src/protocol/security_report.rs.
 */
export function originOfUri(uri: string): string {
  if (isOwnOrigin(uri)) return "'self'";
  // Browsers often report nothing but the scheme.
  if (!uri.includes(':')) return schemeAndHost(uri, '');
  const url = URL.parse(uri);
  if (url === null) return uri;
  const scheme = url.protocol.slice(0, -1);
  const host = scheme === 'http' || scheme === 'https' ? url.hostname : schemeAndHost(scheme, url.hostname);
  return url.port === '' ? host : `${host}:${url.port}`;
}

function schemeAndHost(scheme: string, host: string): string {
  return host !== '' || SCHEMES_WITH_HOST.has(scheme) ? `${scheme}://${host}` : `${scheme}:`;
}
