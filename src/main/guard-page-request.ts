import type { IncomingMessage, ServerResponse } from 'node:http';
import { isSameOrigin } from '#app/same-origin.ts';
import { findPageAddress } from '#app/sentry-addresses/find-page-address.ts';

/**
 * Answers 400, and true, when the address holds U+0000 or is not UTF-8 once its percent-encoding is undone: the framework
 * fails on the one, the stores on the other.
 */
export function refuseMalformedAddress(request: IncomingMessage, response: ServerResponse): boolean {
  const detail = describeMalformed(request.url ?? '');
  if (detail === null) return false;
  const isPage = !request.url?.startsWith('/api/') && request.headers.accept?.includes('text/html');
  response.writeHead(400, {
    'content-type': isPage ? 'text/html; charset=utf-8' : 'application/json',
    'cache-control': 'no-store',
  });
  response.end(isPage ? PAGE : JSON.stringify({ detail }));
  request.resume();
  return true;
}

/** What is wrong with an address, as a sentence; null when nothing is. */
export function describeMalformed(url: string): string | null {
  const [path = '', ...query] = url.split('?');
  return describePart('path', path) ?? describePart('query', query.join('?').replace(STRAY_PERCENT, '%25'));
}

/** People type `?query=100%`; every browser and framework takes such a sign for itself. */
const STRAY_PERCENT = /%(?![0-9a-f]{2})/gi;

function describePart(name: string, text: string): string | null {
  if (!text.includes('%')) return null;
  try {
    if (!decodeURIComponent(text).includes('\0')) return null;
    return `The ${name} of the address has the character U+0000 (%00): remove it`;
  } catch {
    return `The ${name} of the address is not percent-encoded UTF-8: encode it as encodeURIComponent does`;
  }
}

/** For people, who cannot mend the encoding. */
const PAGE =
  '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Bad request · Errata</title><body style="font:14px system-ui;margin:15vh auto;max-width:32rem;padding:0 1rem"><main><h1 style="font-size:20px">Bad request</h1><p>The link is damaged: check it, or <a href="/">go to the start page</a>.</p></main></body></html>';

/** Programs send to these with a token or a signature, from anywhere; a cookie changes nothing there. */
const FOR_PROGRAMS = /^\/(?:(?:api|mcp)(?:[/?]|$)|unsubscribe\/[^/?]+(?:\?|$))/;
const DETAIL =
  'This form was sent by another site. If it was not, set ERRATA_URL to the address in your browser, and ERRATA_TRUSTED_PROXIES to your proxy.';

/**
 * Answers 403 to what another origin sends to a page, and true when it did. The framework compares the hosts of server
 * actions; a page of the same host under another scheme is foreign as well.
 */
export function refuseForeignAction(
  request: IncomingMessage,
  response: ServerResponse,
  publicUrl: string,
): boolean {
  if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS') return false;
  if (FOR_PROGRAMS.test(request.url ?? '') || isSameOrigin({ headers: headersOf(request) }, publicUrl)) {
    return false;
  }
  response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(DETAIL);
  return true;
}

function headersOf({ headers }: IncomingMessage): Headers {
  const read = new Headers();
  for (const name of ['sec-fetch-site', 'origin', 'host', 'x-forwarded-host', 'x-forwarded-proto']) {
    const value = headers[name];
    if (typeof value === 'string') read.set(name, value);
  }
  return read;
}

/** Answers 308 when the address is one of Sentry's own pages, and true when it did. */
export function redirectSentryAddress(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const location = findPageAddress(request.url ?? '');
  if (location === null) return false;
  response.writeHead(308, { location, 'content-length': 0 });
  response.end();
  return true;
}
