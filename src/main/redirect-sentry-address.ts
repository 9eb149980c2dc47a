import type { IncomingMessage, ServerResponse } from 'node:http';
import { findPageAddress } from '../app/sentry-addresses/find-page-address.ts';

/** Answers 308 when the address is one of Sentry's own pages, and true when it did. */
export function redirectSentryAddress(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const location = findPageAddress(request.url ?? '');
  if (location === null) return false;
  response.writeHead(308, { location, 'content-length': 0 });
  response.end();
  return true;
}
