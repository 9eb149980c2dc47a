/** Given by the specification: how pages and their data are loaded. */
export const PREFETCHES_IN_FLIGHT_MAX = 5;
export const ROUTE_LOAD_TIMEOUT_MS = 3_800;
export const SERVER_ERROR_RETRIES_MAX = 3;
/** A page that was loaded this long ago is shown again as it is. */
export const FRESH_MS = 30_000;
/** Until this age it is shown at once and loaded anew behind; `staleTimes` in next.config.mjs is the same number. */
export const REUSABLE_MS = 300_000;

/** Pauses before the retries of one request; each grows by up to a quarter, so that pages do not retry as one. */
export const RETRY_PAUSES_MS = [200, 400, 800] as const;
/** Addresses whose time of loading is remembered. */
export const LOADED_ROUTES_MAX = 200;
