/**
 * Whether a page of this very origin sent the request. Route handlers that change something by the session's cookie ask;
 * server actions are checked by the framework. A client without either header is no browser, and holds no cookie of one.
 * Source: https://www.w3.org/TR/fetch-metadata/
 */
export function isSameOrigin({ headers }: Pick<Request, 'headers'>): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  const origin = headers.get('origin');
  if (origin === null) return true;
  const host = headers.get('x-forwarded-host') ?? headers.get('host');
  return URL.parse(origin)?.host === host;
}
