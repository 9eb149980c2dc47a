import type { DigestedSpan, DigestedTransaction } from '#protocol/telemetry.ts';
import { parameterize } from '../grouping/parameterize.ts';
import { attributeText } from '../telemetry/attributes.ts';
import { QUERY_CHARS_MAX, type QueryKey, queryKey } from '../traces/query-key.ts';
import { assetKey, urlKey } from '../traces/url-key.ts';

/** Spans of one transaction that are looked at, in the order in which they were sent. */
const SPANS_EXAMINED_MAX = 1_000;
/** Of all different queries of a transaction, that much is read; those beyond count as cut off. */
const QUERIES_CHARS_MAX = 400_000;

/** A span with a time that makes sense. Microseconds since the epoch. */
type Timed = { span: DigestedSpan; start: number; end: number };

/** A complete SQL statement. */
export type QuerySpan = Timed & {
  /** null when the SDK cut the query off: two of them may differ in what is missing. */
  query: QueryKey | null;
};

/** A request to another service. */
export type CallSpan = Timed & { method: string; url: string; key: string };

/** A file that a page loaded. */
export type AssetSpan = Timed & { key: string };

/** What detectors look at: each list by the time of its start. */
export type PreparedTransaction = {
  transaction: Pick<DigestedTransaction, 'name' | 'op' | 'measurements' | 'startedAtUs' | 'endedAtUs'>;
  /** The name with what varies in it replaced: part of fingerprints. */
  nameKey: string;
  queries: readonly QuerySpan[];
  calls: readonly CallSpan[];
  assets: readonly AssetSpan[];
  /** null for a span that is not there. */
  findSpan(spanId: string | null): DigestedSpan | null;
};

/** Sorts the spans of a transaction by what they did. Nothing follows parents, so that circles of them are harmless. */
export function prepareTransaction(
  transaction: PreparedTransaction['transaction'],
  spans: readonly DigestedSpan[],
): PreparedTransaction {
  const examined = spans.slice(0, SPANS_EXAMINED_MAX);
  const timed = examined.flatMap((span): Timed[] => {
    const { startedAtUs: start, durationUs } = span;
    const isUsable = !span.isSegment && Number.isFinite(start) && durationUs >= 0;
    return isUsable ? [{ span, start, end: start + durationUs }] : [];
  });
  timed.sort((a, b) => a.start - b.start || a.end - b.end);
  const toQuery = queryReader();
  return {
    transaction,
    nameKey: parameterize(transaction.name),
    queries: timed.filter(({ span }) => isQuery(span)).map(toQuery),
    calls: timed.filter(({ span }) => isCall(span)).flatMap(toCall),
    assets: timed.filter(({ span }) => isAsset(span)).map(toAsset),
    findSpan: (spanId) =>
      spanId === null ? null : (examined.find((span) => span.spanId === spanId) ?? null),
  };
}

const STATEMENT = /^\s*(?:\/\*[^*]*\*\/\s*)?(?:select|insert|update|delete|with)\b/i;

/** Spans of OpenTelemetry whose statement was left out are named by its first words: different queries look alike. */
const isQuery = ({ op, name, source, attributes }: DigestedSpan): boolean =>
  (op === 'db' || (op.startsWith('db.') && op !== 'db.redis')) &&
  STATEMENT.test(name) &&
  (source !== 'otlp' || attributeText(attributes, 'db.query.text', 'db.statement') !== undefined);

/** Reads each query once, within the bound. */
function queryReader(): (timed: Timed) => QuerySpan {
  const known = new Map<string, QueryKey>();
  let charsLeft = QUERIES_CHARS_MAX;
  return (timed) => {
    const { name } = timed.span;
    if (/(?:\.\.\.|…)\s*$/.test(name.slice(-10))) return { ...timed, query: null };
    let query = known.get(name);
    if (!query) {
      charsLeft -= Math.min(name.length, QUERY_CHARS_MAX);
      if (charsLeft < 0) return { ...timed, query: null };
      query = queryKey(name);
      known.set(name, query);
    }
    return { ...timed, query };
  };
}

const isCall = ({ op }: DigestedSpan): boolean => op === 'http' || op === 'http.client';

const REQUEST = /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+(\S+)/i;

function toCall(timed: Timed): CallSpan[] {
  const { name, attributes } = timed.span;
  const described = REQUEST.exec(name);
  const url = described?.[2] ?? textOf(attributes['url.full'] ?? attributes['http.url'] ?? attributes.url);
  if (!url) return [];
  const method =
    described?.[1] ?? textOf(attributes['http.request.method'] ?? attributes['http.method']) ?? 'GET';
  return [{ ...timed, method: method.toUpperCase(), url, key: urlKey(url) }];
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const ASSET_OPS: ReadonlySet<string> = new Set(['resource.script', 'resource.link', 'resource.css']);

const isAsset = ({ op, name }: DigestedSpan): boolean => ASSET_OPS.has(op) && name !== op;

const toAsset = (timed: Timed): AssetSpan => ({ ...timed, key: assetKey(timed.span.name) });
