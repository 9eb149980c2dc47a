import type { Breadcrumb, Level } from '#protocol/event.ts';

/** What a breadcrumb is about, whatever its SDK calls it. */
export type BreadcrumbKind = 'http' | 'navigation' | 'ui' | 'log' | 'query' | 'error' | 'other';

/** How what it is about ended. */
export type BreadcrumbResult = 'neutral' | 'success' | 'warning' | 'danger';

export type BreadcrumbLine = {
  kind: BreadcrumbKind;
  /** For example `fetch`, `ui.click`, `console`. */
  category: string;
  level: Level;
  /** `POST /api/cart`, `/cart → /checkout`, else the message, else the data. */
  text: string;
  /** How a request was answered: `[500]`, `[0]` where it was not; empty for everything else. */
  status: string;
  result: BreadcrumbResult;
  /** The data that is not in `text` and `status`. */
  rest: readonly (readonly [name: string, value: unknown])[];
};

/** A breadcrumb as one line that says what happened and how it ended, in the words of any SDK. */
export function readBreadcrumb(crumb: Breadcrumb): BreadcrumbLine {
  const category = crumb.category || crumb.type || 'default';
  const level = crumb.level ?? 'info';
  const kind = kindOf(category) ?? kindOf(crumb.type ?? '') ?? 'other';
  const { text, status = null, used } = describe(kind, crumb.message ?? '', crumb.data ?? {});
  const rest = Object.entries(crumb.data ?? {}).filter(([name]) => !used.includes(name));
  if (crumb.message && !text.includes(crumb.message)) rest.unshift(['message', crumb.message]);
  return {
    kind,
    category,
    level,
    text,
    status: status === null ? '' : `[${status}]`,
    result: resultOf(status, level),
    rest,
  };
}

const startsWith = (...words: readonly string[]): RegExp =>
  new RegExp(`^(?:${words.join('|')})(?![a-z0-9])`, 'i');

/** Categories and types of Sentry's SDKs; the first that fits counts. */
const KINDS: readonly (readonly [BreadcrumbKind, RegExp])[] = [
  ['http', startsWith('https?', 'fetch', 'xhr', 'httplib', 'net', 'requests?', 'grpc', 'graphql')],
  ['navigation', startsWith('navigation', 'route', 'routing', 'screen')],
  ['ui', startsWith('ui', 'user', 'touch', 'click', 'input', 'gesture')],
  ['log', startsWith('console', 'log', 'logger', 'logging', 'logcat', 'timber', 'debug')],
  ['query', startsWith('query', 'db', 'sql', 'redis', 'cache', 'mongo(?:db)?', 'prisma')],
  ['error', startsWith('error', 'exception', 'sentry\\.event', 'crash')],
];

const kindOf = (name: string): BreadcrumbKind | null =>
  KINDS.find(([, pattern]) => pattern.test(name))?.[0] ?? null;

type Data = Readonly<Record<string, unknown>>;
/** `used` names the data that the line shows. */
type Described = { text: string; status?: number | null; used: readonly string[] };

function describe(kind: BreadcrumbKind, message: string, data: Data): Described {
  const special = kind === 'http' ? describeRequest(data) : kind === 'navigation' ? describeMove(data) : null;
  if (special && special.text !== '') return special;
  if (message !== '') return { ...special, text: message, used: special?.used ?? [] };
  const used = Object.keys(data);
  const text = used.map((name) => `${name}: ${textOf(data[name])}`).join(', ');
  return { ...special, text, used };
}

const METHODS = ['method', 'http.method', 'http.request.method'] as const;
const ADDRESSES = ['url', 'http.url', 'url.full'] as const;
const STATUSES = ['status_code', 'statusCode', 'http.response.status_code', 'status'] as const;

function describeRequest(data: Data): Described {
  const address = ADDRESSES.find((name) => textOf(data[name]) !== '');
  const method = METHODS.find((name) => textOf(data[name]) !== '');
  const statusName = STATUSES.find((name) => statusOf(data[name]) !== null);
  return {
    text: address ? [method && textOf(data[method]), textOf(data[address])].filter(Boolean).join(' ') : '',
    status: statusName ? statusOf(data[statusName]) : null,
    used: [address, address && method, statusName].filter((name) => name !== undefined),
  };
}

function describeMove(data: Data): Described {
  const [from, to] = [textOf(data.from), textOf(data.to)];
  if (to === '') return { text: '', used: [] };
  return { text: from === '' ? `→ ${to}` : `${from} → ${to}`, used: ['from', 'to'] };
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : (JSON.stringify(value) ?? '');

/** SDKs send numbers, and texts of them. */
function statusOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 && number < 1_000
    ? number
    : null;
}

/** An answer says more than the level, which most SDKs leave at `info` for a failed request. */
function resultOf(status: number | null, level: Level): BreadcrumbResult {
  if (status !== null) {
    if (status === 0 || status >= 500) return 'danger';
    return status >= 400 ? 'warning' : status >= 200 ? 'success' : 'neutral';
  }
  if (level === 'fatal' || level === 'error') return 'danger';
  return level === 'warning' ? 'warning' : 'neutral';
}
