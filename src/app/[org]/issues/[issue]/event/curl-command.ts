import { shellQuote } from '#lib/shell-quote.ts';
import type { RequestInfo } from '#protocol/event.ts';

/** The request as a command line. Every part is quoted, so that pasting it runs curl and nothing else. */
export function curlCommand(request: RequestInfo): string {
  const parts = ['curl'];
  if (request.method && request.method.toUpperCase() !== 'GET') parts.push('-X', shellQuote(request.method));
  for (const [name, value] of request.headers ?? []) {
    if (name.toLowerCase() === 'content-length') continue;
    parts.push('-H', shellQuote(`${name}: ${value}`));
  }
  const cookies = request.cookies ?? [];
  const hasCookieHeader = (request.headers ?? []).some(([name]) => name.toLowerCase() === 'cookie');
  if (cookies.length > 0 && !hasCookieHeader) {
    parts.push('-b', shellQuote(cookies.map(([name, value]) => `${name}=${value}`).join('; ')));
  }
  if (request.data !== undefined && request.data !== null && request.data !== '') {
    parts.push(
      '--data-raw',
      shellQuote(typeof request.data === 'string' ? request.data : JSON.stringify(request.data)),
    );
  }
  // The address may begin with a dash or hold braces that curl would expand.
  parts.push('-g', '--url', shellQuote(requestUrl(request)));
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
