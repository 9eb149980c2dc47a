/** The ways in which an SDK says which key it sends with. Source: relay-server/src/extractors/request_meta.rs. */
export type IngestAuth =
  | { kind: 'key'; publicKey: string; sdk: string | null }
  | { kind: 'none' }
  | { kind: 'refused'; status: 400 | 401; detail: string };

const PUBLIC_KEY = /^[0-9a-f]{32}$/;
/** Newest version of the protocol. */
const VERSION_MAX = 8;

/**
 * Reads `X-Sentry-Auth`, `Authorization: Sentry …`, HTTP Basic (the user name is the key), `?sentry_key=` and the key in
 * the path, which some routes have. The same key in several places is fine, two different ones are not.
 */
export function parseIngestAuth(
  headers: { xSentryAuth: string | undefined; authorization: string | undefined },
  query: Pick<URLSearchParams, 'get'>,
  pathKey: string | null = null,
): IngestAuth {
  const found: { key: string; sdk: string | null }[] = [];
  for (const header of [headers.xSentryAuth, headers.authorization]) {
    if (!header) continue;
    const parsed = readAuthHeader(header);
    if (parsed === 'unsupported version') return unsupportedVersion(header);
    if (parsed) found.push(parsed);
  }
  const queryKey = query.get('sentry_key');
  if (queryKey !== null) {
    if (Number(query.get('sentry_version') ?? VERSION_MAX) > VERSION_MAX) {
      return unsupportedVersion(query.get('sentry_version') ?? '');
    }
    found.push({ key: queryKey, sdk: query.get('sentry_client') });
  }
  if (pathKey !== null) found.push({ key: pathKey, sdk: null });
  const [first] = found;
  if (!first) return { kind: 'none' };
  if (found.some(({ key }) => key.toLowerCase() !== first.key.toLowerCase())) {
    return { kind: 'refused', status: 401, detail: 'Two different keys were sent: send one, from the DSN' };
  }
  const publicKey = first.key.toLowerCase();
  if (!PUBLIC_KEY.test(publicKey)) {
    return {
      kind: 'refused',
      status: 400,
      detail: 'The key is not a valid public key (32 hex digits): check the DSN',
    };
  }
  return { kind: 'key', publicKey, sdk: found.find(({ sdk }) => sdk)?.sdk ?? null };
}

type ParsedHeader = { key: string; sdk: string | null } | 'unsupported version' | null;

/** An SDK sends the same header with every envelope. */
const parsedHeaders = new Map<string, ParsedHeader>();
/** Parsed authentication headers that are cached. */
const PARSED_HEADERS_MAX = 1_000;
/** Longer headers are not cached. */
const CACHED_HEADER_CHARACTERS_MAX = 500;

function readAuthHeader(header: string): ParsedHeader {
  const known = parsedHeaders.get(header);
  if (known !== undefined) return known;
  const parsed = parseAuthHeader(header);
  if (header.length <= CACHED_HEADER_CHARACTERS_MAX) {
    if (parsedHeaders.size >= PARSED_HEADERS_MAX) parsedHeaders.clear();
    parsedHeaders.set(header, parsed);
  }
  return parsed;
}

function parseAuthHeader(header: string): ParsedHeader {
  const basic = /^Basic\s+([A-Za-z0-9+/=_-]+)$/i.exec(header);
  if (basic?.[1]) {
    const key = Buffer.from(basic[1], 'base64').toString('latin1').split(':')[0] ?? '';
    return key ? { key, sdk: null } : null;
  }
  if (!/^Sentry\b/i.test(header)) return null;
  const fields = new Map<string, string>();
  for (const pair of header.slice(6).split(/[,\s]+/)) {
    const equals = pair.indexOf('=');
    if (equals > 0) fields.set(pair.slice(0, equals).toLowerCase(), pair.slice(equals + 1));
  }
  if (Number(fields.get('sentry_version') ?? VERSION_MAX) > VERSION_MAX) return 'unsupported version';
  const key = fields.get('sentry_key');
  return key ? { key, sdk: fields.get('sentry_client') ?? null } : null;
}

const unsupportedVersion = (sent: string): IngestAuth => ({
  kind: 'refused',
  status: 400,
  detail: `Unsupported protocol version in "${sent.slice(0, 100)}": versions up to ${VERSION_MAX} are supported`,
});
