import { LOADED_ROUTES_MAX } from './limits.ts';
import { routeKey } from './route-ages.ts';

export type RoutesAhead = {
  /** The address is asked for ahead, or stands in line. Call what it answers once, with null when nothing came. */
  ask(address: string | URL): (response: Response | null) => void;
  /** Whether not even the head of what is asked for ahead has come. */
  isAwaited(address: string | URL): boolean;
  /** `routeKey` of the page that the address led to the last time; its own when it was not redirected. */
  endOf(address: string | URL): string;
};

/** What is known of pages that are loaded before somebody goes there. */
export function createRoutesAhead(): RoutesAhead {
  const awaited = new Map<string, number>();
  const redirects = new Map<string, string>();

  function noteRedirect(key: string, response: Response): void {
    redirects.delete(key);
    if (!response.redirected) return;
    redirects.set(key, routeKey(response.url));
    const oldest = redirects.keys().next();
    if (redirects.size > LOADED_ROUTES_MAX && !oldest.done) redirects.delete(oldest.value);
  }

  return {
    ask(address) {
      const key = routeKey(address);
      awaited.set(key, (awaited.get(key) ?? 0) + 1);
      return (response) => {
        const left = (awaited.get(key) ?? 1) - 1;
        if (left === 0) awaited.delete(key);
        else awaited.set(key, left);
        if (response) noteRedirect(key, response);
      };
    },
    isAwaited: (address) => awaited.has(routeKey(address)),
    endOf(address) {
      const key = routeKey(address);
      return redirects.get(key) ?? key;
    },
  };
}
