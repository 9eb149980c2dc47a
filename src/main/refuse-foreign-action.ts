import type { IncomingMessage, ServerResponse } from 'node:http';
import { isSameOrigin } from '#app/same-origin.ts';

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
