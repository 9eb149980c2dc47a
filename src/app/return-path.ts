/** What the framework adds to a page's address when it loads data only. */
const FLIGHT_PARAMETER = '_rsc';

/** Whether the framework's router asks, and not somebody who opens the address. */
export const isDataAddress = (path: string | null): boolean =>
  new URLSearchParams(path?.split('?', 2)[1]).has(FLIGHT_PARAMETER);

/**
 * The path to come back to after signing in: path and query on this site, null for anything else. Two slashes or a
 * backslash at the start would name another host.
 */
export function returnPath(path: string | null | undefined): string | null {
  if (!path || !/^\/(?![/\\])/.test(path)) return null;
  const [pathname = '/', query = ''] = path.split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.delete(FLIGHT_PARAMETER);
  const rest = parameters.toString();
  const result = rest ? `${pathname}?${rest}` : pathname;
  return result === '/' ? null : result;
}

/** Where to go after signing in: a path of this site, or `/` for anything else. */
export function safeNext(next: string | null | undefined): string {
  if (!next?.startsWith('/')) return '/';
  const base = 'http://errata.invalid';
  if (!URL.canParse(next, base)) return '/';
  const url = new URL(next, base);
  if (url.origin !== base || url.pathname.startsWith('//')) return '/';
  return `${url.pathname}${url.search}${url.hash}`;
}

/** The path of a request with the organization's present slug in place of the one that it had before. */
export function renamedPath(path: string | null, formerSlug: string, slug: string): string {
  const former = `/${formerSlug}`;
  const rest = path?.startsWith(former) ? path.slice(former.length) : '';
  return /^[/?]/.test(rest) ? `/${slug}${rest}` : `/${slug}/issues`;
}

/** Where the second factor is asked, before going on to `next`. */
export const secondStepPath = (next: string): string =>
  next === '/' ? '/login/second-step' : `/login/second-step?next=${encodeURIComponent(next)}`;
