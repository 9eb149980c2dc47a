import { LOADED_ROUTES_MAX } from './limits.ts';

type RouteAges = {
  /** Notes that the data of the address was asked for at this time. */
  note(address: string | URL, atMs: number): void;
  /** How old the newest data of the address is; null when it was never loaded, or long ago. */
  ageMs(address: string | URL, nowMs: number): number | null;
};

/** When the data of each page was loaded, for the newest addresses. */
export function createRouteAges(): RouteAges {
  const loadedAt = new Map<string, number>();
  return {
    note(address, atMs) {
      const key = routeKey(address);
      loadedAt.delete(key);
      loadedAt.set(key, atMs);
      const oldest = loadedAt.keys().next();
      if (loadedAt.size > LOADED_ROUTES_MAX && !oldest.done) loadedAt.delete(oldest.value);
    },
    ageMs(address, nowMs) {
      const at = loadedAt.get(routeKey(address));
      return at === undefined ? null : nowMs - at;
    },
  };
}

/** Path and query without what the framework adds to its own requests. */
export function routeKey(address: string | URL): string {
  const url = new URL(address, 'http://origin.invalid');
  url.searchParams.delete('_rsc');
  return `${url.pathname}?${url.searchParams}`;
}

type RoutesAhead = {
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
