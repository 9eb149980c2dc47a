import { isSource, type Source } from '../normalize/field-reader.ts';
import { countOf, present, type ReportEvent, restOf, textOf } from './report-fields.ts';

const DIRECTIVES: ReadonlySet<string> = new Set([
  ...['base-uri', 'block-all-mixed-content', 'child-src', 'connect-src', 'default-src', 'fenced-frame-src'],
  ...['font-src', 'form-action', 'frame-ancestors', 'frame-src', 'img-src', 'manifest-src', 'media-src'],
  ...['navigate-to', 'object-src', 'plugin-types', 'prefetch-src', 'referrer', 'report-to', 'report-uri'],
  ...['require-sri-for', 'require-trusted-types-for', 'sandbox', 'script-src', 'script-src-attr'],
  ...['script-src-elem', 'style-src', 'style-src-attr', 'style-src-elem', 'trusted-types'],
  ...['upgrade-insecure-requests', 'worker-src'],
]);

/** Names of fields, first as reports of `report-uri` have them, then those of the Reporting API. */
const NAMES = {
  effective_directive: ['effective-directive', 'effectiveDirective', 'effective_directive'],
  blocked_uri: ['blocked-uri', 'blockedURL', 'blocked_uri'],
  document_uri: ['document-uri', 'documentURL', 'document_uri'],
  original_policy: ['original-policy', 'originalPolicy', 'original_policy'],
  referrer: ['referrer'],
  status_code: ['status-code', 'statusCode', 'status_code'],
  violated_directive: ['violated-directive', 'violatedDirective', 'violated_directive'],
  source_file: ['source-file', 'sourceFile', 'source_file'],
  line_number: ['line-number', 'lineNumber', 'line_number'],
  column_number: ['column-number', 'columnNumber', 'column_number'],
  script_sample: ['script-sample', 'scriptSample', 'sample', 'script_sample'],
  disposition: ['disposition'],
} as const;
const KNOWN: ReadonlySet<string> = new Set(Object.values(NAMES).flat());

/**
 * The event of a violation of a page's Content-Security-Policy; null when it names no directive that exists.
 * Source: `Csp` in relay-event-schema/src/protocol/security_report.rs; https://www.w3.org/TR/CSP3/.
 */
export function cspEvent(report: Source): ReportEvent | null {
  const text = (name: keyof typeof NAMES) => textOf(report, ...NAMES[name]);
  const violated = text('violated_directive') ?? '';
  const directive = directiveOf(text('effective_directive')) ?? directiveOf(violated);
  if (directive === null) return null;
  const sent = NAMES.blocked_uri.map((name) => report[name]).find((uri) => typeof uri === 'string');
  const blockedUri = typeof sent === 'string' ? sent : 'self';
  const documentUri = text('document_uri');
  const referrer = text('referrer');
  return present({
    logentry: { formatted: cspMessage(directive, blockedUri) },
    culprit: culpritOf(violated, documentUri ?? '') || undefined,
    tags: tagsOf(directive, blockedUri),
    request: present({
      url: documentUri,
      headers: referrer === undefined ? undefined : [['Referer', referrer]],
    }),
    csp: present({
      ...restOf(report, KNOWN),
      effective_directive: directive,
      blocked_uri: blockedUri,
      document_uri: documentUri,
      original_policy: text('original_policy'),
      referrer,
      status_code: countOf(report, ...NAMES.status_code),
      violated_directive: violated,
      source_file: text('source_file'),
      line_number: countOf(report, ...NAMES.line_number),
      column_number: countOf(report, ...NAMES.column_number),
      script_sample: text('script_sample'),
      disposition: text('disposition'),
    }),
  });
}

/** The report itself, in either of the two forms that browsers send; null when it is neither. */
export function cspReportOf(sent: Source): Source | null {
  const report = sent['csp-report'] ?? (sent.type === 'csp-violation' ? sent.body : null);
  return isSource(report) ? report : null;
}

/** Firefox names no effective directive, and older browsers add the sources that it allows. */
function directiveOf(text: string | undefined): string | null {
  const name = text?.split(' ', 1)[0] ?? '';
  return DIRECTIVES.has(name) ? name : null;
}

function tagsOf(directive: string, blockedUri: string): [string, string][] {
  const tags: [string, string][] = [
    ['effective-directive', directive],
    ['blocked-uri', withoutSecrets(blockedUri)],
  ];
  const url = URL.parse(blockedUri);
  if (url && (url.protocol === 'http:' || url.protocol === 'https:'))
    tags.push(['blocked-host', url.hostname]);
  return tags;
}

/** Stripe puts what must not be kept into the query of its addresses; the reference knows it by name as well. */
const withoutSecrets = (uri: string): string =>
  uri.startsWith('https://api.stripe.com/') ? uri.replace(/[?#].*$/s, '') : uri;

const KEYWORDS: ReadonlySet<string> = new Set(["'none'", "'self'", "'unsafe-inline'", "'unsafe-eval'"]);
const HAS_SCHEME = /^(?:data|mediastream|blob|filesystem|https?|file):/;

/** The violated directive with its sources, the page's own origin as 'self': Firefox spells it out. */
function culpritOf(violated: string, documentUri: string): string {
  const [name = '', ...sources] = violated.split(/\s+/).filter((part) => part !== '');
  const own = originOfUri(documentUri);
  const scheme = documentUri.includes(':') ? documentUri.slice(0, documentUri.indexOf(':')) : 'http';
  const shown = sources.map((source) => {
    if (KEYWORDS.has(source)) return source;
    if (HAS_SCHEME.test(source)) return originOfUri(source) === own ? "'self'" : source;
    if (source === own) return "'self'";
    return scheme === 'http' || scheme === 'https' ? source : `${scheme}://${source}`;
  });
  return [name, ...shown].join(' ');
}

/** What is said of a directive when something of the page's own was blocked, and before where it came from otherwise. */
const WORDS: Readonly<Record<string, readonly [own: string, foreign: string]>> = {
  'child-src': ["Blocked inline 'child'", "Blocked 'child' from"],
  'connect-src': ["Blocked inline 'connect'", "Blocked 'connect' from"],
  'font-src': ["Blocked inline 'font'", "Blocked 'font' from"],
  'form-action': ["Blocked inline 'form-action'", "Blocked 'form' action to"],
  'img-src': ["Blocked inline 'image'", "Blocked 'image' from"],
  'manifest-src': ["Blocked inline 'manifest'", "Blocked 'manifest' from"],
  'media-src': ["Blocked inline 'media'", "Blocked 'media' from"],
  'object-src': ["Blocked inline 'object'", "Blocked 'object' from"],
  'script-src': ["Blocked unsafe (eval() or inline) 'script'", "Blocked 'script' from"],
  'script-src-attr': ["Blocked unsafe 'script' element", 'Blocked inline script attribute from'],
  'script-src-elem': ['Blocked inline script attribute', "Blocked 'script' from"],
  'style-src': ["Blocked inline 'style'", "Blocked 'style' from"],
  'style-src-attr': ['Blocked style attribute', 'Blocked style attribute from'],
  'style-src-elem': ["Blocked 'style' or 'link' element", "Blocked 'style' from"],
};

/**
 * What a page's policy blocked, in one line: `Blocked 'script' from 'evil.example'`. The words are those of the reference,
 * since people know their issues by them. Source: `get_message` in relay-event-schema/src/protocol/security_report.rs.
 */
function cspMessage(directive: string, blockedUri: string): string {
  if (directive === 'script-src' && blockedUri === 'inline') return "Blocked unsafe inline 'script'";
  if (directive === 'script-src' && blockedUri === 'eval') return "Blocked unsafe eval() 'script'";
  const [own, foreign] = (Object.hasOwn(WORDS, directive) && WORDS[directive]) || [
    `Blocked inline '${directive}'`,
    `Blocked '${directive}' from`,
  ];
  return isOwnOrigin(blockedUri) ? own : `${foreign} '${originOfUri(blockedUri)}'`;
}

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
