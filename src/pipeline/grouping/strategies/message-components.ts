import { isOwnOrigin } from '#pipeline/security-reports/csp-report.ts';
import type { NormalizedEvent } from '#protocol/event.ts';
import { type ComponentsByVariant, component, ignored, leaf } from '../component.ts';
import { parameterize } from '../parameterize.ts';

/** A logged message: its template when it has one, else its text. */
export function messageComponents({ logentry }: NormalizedEvent): ComponentsByVariant {
  if (!logentry) return {};
  const message = logentry.message || logentry.formatted || '';
  const normalized = normalizeMessage(message);
  return {
    default: leaf('message', normalized, normalized === message ? null : 'variable parts were replaced'),
  };
}

/** The place in a template that old SDKs for web frameworks send with its errors. */
export function templateComponents({ template }: NormalizedEvent): ComponentsByVariant {
  if (!template) return {};
  return {
    default: component('template', [
      leaf('filename', template.filename),
      leaf('context_line', template.context_line),
    ]),
  };
}

/** Lines of a message that group. */
const LINES_MAX = 2;
/** Everything that Unicode and ASCII have to end a line. */
const LINE_BREAK = new RegExp(
  ['\r\n', '\n', '\r', '\v', '\f', '\u001c', '\u001d', '\u001e', '\u0085', '\u2028', '\u2029'].join('|'),
);

/** A message as it is grouped by: its first two lines that are not blank, with what varies replaced. */
export function normalizeMessage(message: string): string {
  const lines = message.split(LINE_BREAK).filter((line) => line.trim() !== '');
  const kept = lines.slice(0, LINES_MAX).join('\n');
  return parameterize(kept === message ? kept : `${kept}...`);
}

type Report = Readonly<Record<string, unknown>>;

/** A report on a certificate: its kind and the host. */
const hostReport = (kind: string, report: Report | null | undefined): ComponentsByVariant =>
  report
    ? { default: component(kind, [salt(kind.replace('_', '-')), leaf('hostname', hostOf(report))]) }
    : {};

export const expectCtComponents = ({ expectct }: NormalizedEvent): ComponentsByVariant =>
  hostReport('expect_ct', expectct);

export const expectStapleComponents = ({ expectstaple }: NormalizedEvent): ComponentsByVariant =>
  hostReport('expect_staple', expectstaple);

export const hpkpComponents = ({ hpkp }: NormalizedEvent): ComponentsByVariant => hostReport('hpkp', hpkp);

/** What a page's policy refused: the directive, and of its own scripts the kind, else where it came from. */
export function cspComponents({ csp }: NormalizedEvent): ComponentsByVariant {
  if (!csp) return {};
  const violation = localScriptViolation(csp);
  const origin = leaf('uri', blockedOrigin(csp));
  return {
    default: component('csp', [
      salt(textOf(csp.effective_directive)),
      violation === null
        ? ignored(leaf('violation', null), 'no script from the page itself was blocked')
        : leaf('violation', `'${violation}'`),
      violation === null ? origin : ignored(origin, 'the script type is more specific'),
    ]),
  };
}

const salt = (text: string) => leaf('salt', text, 'distinguishes report types');

const hostOf = (report: Report): string => textOf(report.hostname) || textOf(report.host_name);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const OWN = "'self'";

/** Which kind of the page's own scripts was refused; null when it was none. */
function localScriptViolation(report: Report): 'unsafe-inline' | 'unsafe-eval' | null {
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
function blockedOrigin(report: Report): string {
  const uri = textOf(report.blocked_uri);
  if (isOwnOrigin(uri)) return OWN;
  const [, scheme = uri, host = ''] = /^([a-z][a-z0-9+.-]*):(?:\/\/([^/?#]*))?/i.exec(uri) ?? [];
  const name = scheme.toLowerCase();
  if (uri.includes(':') && (name === 'http' || name === 'https')) return host;
  return host !== '' || SCHEMES_WITH_HOST.has(name) ? `${name}://${host}` : `${name}:`;
}
