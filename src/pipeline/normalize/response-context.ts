import { isSource, type Source } from './field-reader.ts';
import { parseCookies } from './pairs.ts';

type Context = Readonly<Record<string, unknown>>;

/**
 * Completes what an HTTP client was answered: a body of JSON is read, its type is told, and the cookies that the answer
 * sets stand by themselves. Source: relay-event-normalization/src/normalize/contexts.rs
 */
export function completeResponse(response: Context): Context {
  const headers = headersOf(response.headers);
  const parsed = typeof response.data === 'string' ? parseJson(response.data) : undefined;
  const declared = headers.find(([name]) => isNamed(name, 'content-type'))?.[1].split(';', 1)[0];
  const contentType = parsed === undefined ? declared : 'application/json';
  const setCookie = headers.find(([name]) => isNamed(name, 'set-cookie'))?.[1];
  const cookies =
    response.cookies ?? (setCookie === undefined ? undefined : Object.fromEntries(parseCookies(setCookie)));
  return {
    ...response,
    ...(parsed === undefined ? {} : { data: parsed }),
    ...(contentType === undefined ? {} : { inferred_content_type: contentType }),
    ...(cookies === undefined ? {} : { cookies }),
    ...(setCookie === undefined ? {} : { headers: withoutSetCookie(response.headers) }),
  };
}

const isNamed = (name: string, wanted: string): boolean => name.toLowerCase() === wanted;

function parseJson(text: string): unknown {
  const first = text.trimStart().charAt(0);
  if (first !== '{' && first !== '[') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** An object or a list of pairs; what is no text is left out. */
function headersOf(value: unknown): readonly (readonly [string, string])[] {
  const entries: readonly unknown[] = Array.isArray(value)
    ? value
    : isSource(value)
      ? Object.entries(value)
      : [];
  return entries.filter(
    (entry): entry is [string, string] =>
      Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'string',
  );
}

function withoutSetCookie(value: unknown): unknown {
  const stays = (entry: unknown): boolean =>
    !(Array.isArray(entry) && typeof entry[0] === 'string' && isNamed(entry[0], 'set-cookie'));
  if (Array.isArray(value)) return value.filter(stays);
  return Object.fromEntries(Object.entries(value as Source).filter(stays));
}
