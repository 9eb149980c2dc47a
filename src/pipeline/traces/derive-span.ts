import type { AttributeSet } from '../telemetry/attributes.ts';

/**
 * The operation of a span that only has attributes, as OpenTelemetry names them.
 * Source: relay-spans/src/v2_to_v1.rs, `derive_op_for_v2_span`.
 */
export function deriveOp(attributes: AttributeSet, kind: string): string {
  if (methodOf(attributes) !== undefined) {
    return kind === 'client' || kind === 'server' ? `http.${kind}` : 'http';
  }
  if (attributes.has('db.system') || attributes.has('db.system.name')) return 'db';
  if (attributes.has('gen_ai.system')) return 'gen_ai';
  if (attributes.has('rpc.service')) return 'rpc';
  if (attributes.has('messaging.system')) return 'message';
  return attributes.text('faas.trigger') ?? 'default';
}

/** What the span did, for people: its description, the request, the query; undefined when its name says it best. */
export function deriveDescription(attributes: AttributeSet, kind: string): string | undefined {
  return attributes.text('sentry.description') ?? requestDescription(attributes, kind) ?? queryOf(attributes);
}

const methodOf = (attributes: AttributeSet): string | undefined =>
  attributes.text('http.request.method', 'http.method');

function requestDescription(attributes: AttributeSet, kind: string): string | undefined {
  const method = methodOf(attributes);
  if (method === undefined) return undefined;
  const path = kind === 'server' ? serverPath(attributes) : kind === 'client' ? clientUrl(attributes) : null;
  return path ? `${method} ${path}` : undefined;
}

const serverPath = (attributes: AttributeSet): string | undefined =>
  attributes.text('http.route', 'url.path') ?? withoutQuery(attributes.text('http.target'));

const clientUrl = (attributes: AttributeSet): string | undefined =>
  withoutQuery(attributes.text('url.full', 'http.url'));

const withoutQuery = (url: string | undefined): string | undefined => url?.split(/[?#]/, 1)[0];

/** Operations of caches look like queries, but what they look up is not a description. */
function queryOf(attributes: AttributeSet): string | undefined {
  if (attributes.text('sentry.op')?.startsWith('cache.')) return undefined;
  return attributes.text('db.query.text', 'db.statement');
}
