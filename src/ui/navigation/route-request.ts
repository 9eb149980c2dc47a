/** What a request of the framework's router is for. */
export type RouteRequestKind = 'page' | 'prefetch' | 'action';

/**
 * Tells the router's requests from all others, for which it answers null. `page` is what somebody waits for: a
 * navigation or a refresh; `prefetch` what is loaded ahead.
 */
export function routeRequestKind(init: RequestInit | undefined): RouteRequestKind | null {
  const headers = init?.headers;
  if (!headers) return null;
  const has = (name: string) => new Headers(headers).has(name);
  if (has('next-action')) return 'action';
  if (!has('rsc')) return null;
  // A full prefetch carries the headers of a navigation; only its priority differs.
  const isAhead = has('next-router-prefetch') || has('next-router-segment-prefetch');
  return isAhead || init?.priority === 'low' ? 'prefetch' : 'page';
}

/** Whether the answer holds the data of a page; a prefetch may hold only its outline. */
export function isPageData(response: Response, init: RequestInit | undefined): boolean {
  const isOutline =
    new Headers(init?.headers).has('next-router-prefetch') ||
    new Headers(init?.headers).has('next-router-segment-prefetch');
  return (
    response.ok && !isOutline && (response.headers.get('content-type') ?? '').startsWith('text/x-component')
  );
}

/** Whether the answer to an action holds the page anew: it was refreshed, and the action leads nowhere else. */
export function bringsPage({ headers, redirected }: Response): boolean {
  return headers.has('x-action-revalidated') && !headers.has('x-action-redirect') && !redirected;
}
