import { isOwnOrigin } from '../../security-reports/csp-uri.ts';

type Report = Readonly<Record<string, unknown>>;

const OWN = "'self'";

/** Which kind of the page's own scripts was refused; null when it was none. */
export function localScriptViolation(report: Report): 'unsafe-inline' | 'unsafe-eval' | null {
  const violated = textOf(report.violated_directive);
  if (textOf(report.effective_directive) !== 'script-src' || blockedOrigin(report) !== OWN) return null;
  if (violated.includes("'unsafe-inline'")) return 'unsafe-inline';
  return violated.includes("'unsafe-eval'") ? 'unsafe-eval' : null;
}

/** Schemes that are written with `//` even when no host follows. */
const SCHEMES_WITH_HOST: ReadonlySet<string> = new Set([
  ...['file', 'ftp', 'git', 'git+ssh', 'gopher', 'http', 'https', 'imap', 'mms', 'nfs', 'nntp', 'prospero'],
  ...['rsync', 'rtsp', 'rtspu', 'sftp', 'shttp', 'snews', 'svn', 'svn+ssh', 'telnet', 'wais', 'ws', 'wss'],
]);

/**
 * Where what was refused came from, as written: `cdn.example:8443`, `wss://host`, `data:`, `'self'` for the page itself.
 * Browsers often report nothing but the scheme.
 */
export function blockedOrigin(report: Report): string {
  const uri = textOf(report.blocked_uri);
  if (isOwnOrigin(uri)) return OWN;
  const [, scheme = uri, host = ''] = /^([a-z][a-z0-9+.-]*):(?:\/\/([^/?#]*))?/i.exec(uri) ?? [];
  const name = scheme.toLowerCase();
  if (uri.includes(':') && (name === 'http' || name === 'https')) return host;
  return host !== '' || SCHEMES_WITH_HOST.has(name) ? `${name}://${host}` : `${name}:`;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
