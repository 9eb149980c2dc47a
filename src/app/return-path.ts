/** What the framework adds to a page's address when it loads data only. */
const FLIGHT_PARAMETER = '_rsc';

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
