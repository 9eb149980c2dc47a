import { parseBoundedJson } from '#lib/bounded-json.ts';
import type { RequestInfo } from '#protocol/event.ts';
import { mayHoldSecret } from '../scrub/find-secrets.ts';
import { type FieldReader, type Source, unlessEmpty } from './field-reader.ts';
import { AUTO_IP } from './ip-address.ts';
import { BODY_LIMITS, NAME_CHARS_MAX, PATH_CHARS_MAX, SMALL_JSON_LIMITS } from './limits.ts';
import { normalizePairs, parseCookies, parseHeaders, parseQuery } from './pairs.ts';

type Pair = readonly [string, string];

/** Reads `request`: the address without its query, headers in their usual spelling, the body as JSON where it is. */
export function normalizeRequest(
  reader: FieldReader,
  event: Source,
  clientIp: string | null,
): RequestInfo | undefined {
  const source = reader.object(event, 'request', '');
  if (source === undefined) return undefined;
  const path = 'request';
  const address = splitAddress(reader.text(source, 'url', path, PATH_CHARS_MAX));
  const headers = normalizePairs(reader, source, 'headers', path, parseHeaders);
  const { headers: headersKept, cookieHeader } = spellHeaders(headers);
  const body = bodyOf(reader, source, path, headersKept);
  const env = reader.jsonObject(source, 'env', path, SMALL_JSON_LIMITS);
  return unlessEmpty<RequestInfo>({
    url: address.url,
    method: methodOf(reader, source, path),
    query_string:
      normalizePairs(reader, source, 'query_string', path, parseQuery) ??
      normalizePairs(reader, { query: address.query }, 'query', path, parseQuery),
    fragment: reader.text(source, 'fragment', path, PATH_CHARS_MAX) ?? address.fragment,
    cookies:
      normalizePairs(reader, source, 'cookies', path, parseCookies) ??
      normalizePairs(reader, { cookies: cookieHeader }, 'cookies', path, parseCookies),
    headers: headersKept,
    data: body.data,
    env: env?.REMOTE_ADDR === AUTO_IP && clientIp !== null ? { ...env, REMOTE_ADDR: clientIp } : env,
    inferred_content_type: body.contentType,
    api_target: reader.text(source, 'api_target', path, NAME_CHARS_MAX),
  });
}

function splitAddress(url: string | undefined): { url?: string; query?: string; fragment?: string } {
  if (url === undefined) return {};
  // Old SDKs for browsers cut with an ellipsis, which no address holds.
  if (url.endsWith('…')) return splitAddress(`${url.slice(0, -1)}...`);
  const hash = url.indexOf('#');
  const beforeHash = hash === -1 ? url : url.slice(0, hash);
  const mark = beforeHash.indexOf('?');
  return {
    url: (mark === -1 ? beforeHash : beforeHash.slice(0, mark)) || undefined,
    query: mark === -1 ? undefined : beforeHash.slice(mark + 1) || undefined,
    fragment: hash === -1 ? undefined : url.slice(hash + 1) || undefined,
  };
}

function methodOf(reader: FieldReader, source: Source, path: string): string | undefined {
  const sent = reader.text(source, 'method', path, NAME_CHARS_MAX)?.trim();
  const method = sent?.toUpperCase();
  if (method === undefined || /^[A-Z_-]{3,32}$/.test(method)) return method;
  // As it was sent: scrubbing knows many secrets by their spelling.
  reader.invalid(path, 'method', 'an HTTP method', sent);
  return undefined;
}

/** Header names as people write them (`User-Agent`); the Cookie header is taken out, as cookies have their own place. */
function spellHeaders(headers: readonly Pair[] | undefined): { headers?: Pair[]; cookieHeader?: string } {
  if (headers === undefined) return {};
  let cookieHeader: string | undefined;
  const kept: Pair[] = [];
  for (const [name, value] of headers) {
    // A key in the place of a name keeps its spelling, which scrubbing knows it by.
    const isName = HEADER_NAME.test(name) && !mayHoldSecret(name);
    const spelled = isName ? name.replaceAll('_', '-').replace(/[^-]+/g, capitalize) : name;
    if (spelled === 'Cookie') cookieHeader = value;
    else kept.push([spelled, value]);
  }
  return { headers: kept.length === 0 ? undefined : kept, cookieHeader };
}

const HEADER_NAME = /^[^\s:=]+$/;

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();

function bodyOf(
  reader: FieldReader,
  source: Source,
  path: string,
  headers: readonly Pair[] | undefined,
): { data?: unknown; contentType?: string } {
  const declared = headers
    ?.find(([name]) => name === 'Content-Type')?.[1]
    .split(';', 1)[0]
    ?.trim()
    .toLowerCase();
  const sent = source.data;
  if (sent === '' || sent === undefined || sent === null) return {};
  const parsed =
    typeof sent === 'string' ? parseBody(sent, declared) : { value: sent, contentType: undefined };
  return {
    data: reader.json({ data: parsed.value }, 'data', path, BODY_LIMITS),
    contentType: parsed.contentType ?? (declared || undefined),
  };
}

function parseBody(
  text: string,
  declared: string | undefined,
): { value: unknown; contentType: string | undefined } {
  const first = text.trimStart().charAt(0);
  if (first === '{' || first === '[') {
    try {
      return { value: parseBoundedJson(text), contentType: 'application/json' };
    } catch {
      return { value: text, contentType: declared };
    }
  }
  const form = parseForm(text, declared === FORM);
  return form === null ? { value: text, contentType: declared } : { value: form, contentType: FORM };
}

const FORM = 'application/x-www-form-urlencoded';

/**
 * A form as an object, so that its fields are found by their names; a field that comes twice has a list. Text that could
 * as well be base64 (`dGU=`, `dA==`) or one word is a form only when it says so. null for what is none.
 */
function parseForm(text: string, isDeclared: boolean): Readonly<Record<string, unknown>> | null {
  if (!isDeclared && !/^[\w.%[\]+~*-]{1,100}=[^\s<]*$/.test(text)) return null;
  const form = new Map<string, string | string[]>();
  for (const [name, value] of parseQuery(text)) {
    const known = form.get(name);
    form.set(name, known === undefined ? value : [...(typeof known === 'string' ? [known] : known), value]);
  }
  const [only] = form.values();
  const tells = form.size > 1 || (only !== undefined && only !== '' && only !== '=');
  if (form.size === 0 || !(isDeclared || tells)) return null;
  return Object.fromEntries(form);
}
