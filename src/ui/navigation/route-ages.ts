import { LOADED_ROUTES_MAX } from './limits.ts';

export type RouteAges = {
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
