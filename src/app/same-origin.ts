/**
 * Whether a page of this very origin sent the request: scheme, host and port. What changes something by the session's
 * cookie asks. A client without either header is no browser, and holds no cookie of one.
 * Source: https://www.w3.org/TR/fetch-metadata/
 */
export function isSameOrigin({ headers }: Pick<Request, 'headers'>, publicUrl: string): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  const origin = headers.get('origin');
  return origin === null || origin === requestedOrigin(headers, publicUrl);
}

/**
 * The public origin. A request by another name, such as an address on the local network, has that name and the scheme
 * that the edge saw: then only proxies that it trusts say https.
 */
function requestedOrigin(headers: Headers, publicUrl: string): string | undefined {
  const own = new URL(publicUrl);
  const host = headers.get('x-forwarded-host')?.split(',')[0]?.trim() ?? headers.get('host') ?? '';
  if (host.toLowerCase() === own.host) return own.origin;
  const scheme = headers.get('x-forwarded-proto') === 'https' ? 'https' : 'http';
  return URL.parse(`${scheme}://${host}`)?.origin;
}
