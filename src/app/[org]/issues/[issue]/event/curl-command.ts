import type { RequestInfo } from '#protocol/event.ts';

/** The request as a command line. Every part is quoted, so that pasting it runs curl and nothing else. */
export function curlCommand(request: RequestInfo): string {
  const parts = ['curl'];
  if (request.method && request.method.toUpperCase() !== 'GET') parts.push('-X', quote(request.method));
  for (const [name, value] of request.headers ?? []) {
    if (name.toLowerCase() === 'content-length') continue;
    parts.push('-H', quote(`${name}: ${value}`));
  }
  const cookies = request.cookies ?? [];
  const hasCookieHeader = (request.headers ?? []).some(([name]) => name.toLowerCase() === 'cookie');
  if (cookies.length > 0 && !hasCookieHeader) {
    parts.push('-b', quote(cookies.map(([name, value]) => `${name}=${value}`).join('; ')));
  }
  if (request.data !== undefined && request.data !== null && request.data !== '') {
    parts.push(
      '--data-raw',
      quote(typeof request.data === 'string' ? request.data : JSON.stringify(request.data)),
    );
  }
  // The address may begin with a dash or hold braces that curl would expand.
  parts.push('-g', '--url', quote(requestUrl(request)));
  return parts.join(' ');
}

/** The address with its query; empty when the SDK sent none. */
export function requestUrl(request: RequestInfo): string {
  const url = request.url ?? '';
  const query = request.query_string ?? [];
  if (url === '' || query.length === 0 || url.includes('?')) return url;
  const text = query
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
  return `${url}?${text}`;
}

/** A terminal acts on control characters before any shell sees the quotes, so a text that holds some is written in escapes. */
const CONTROL = /[\p{Cc}\u2028\u2029]/u;
const ESCAPED = /[\p{Cc}\u2028\u2029'\\]/gu;

function quote(sent: string): string {
  const text = sent.replaceAll('\0', '');
  if (!CONTROL.test(text.replaceAll(/[\n\t]/g, ''))) return `'${text.replaceAll("'", `'\\''`)}'`;
  return `$'${text.replaceAll(ESCAPED, escapeCharacter)}'`;
}

/** As shells read it between `$'` and `'`: https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html */
function escapeCharacter(character: string): string {
  const bytes = Buffer.from(character, 'utf8');
  return [...bytes].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
}
