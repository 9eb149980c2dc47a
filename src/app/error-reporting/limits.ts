/** Given by the specification: what an error reporter may hold and send at once. */
export const TRANSPORT_BUFFER_EVENTS = 64;
export const REQUESTS_IN_FLIGHT_MAX = 15;
export const LINKED_ERRORS_MAX = 5;

/** Messages that say nothing about this app: a script of another origin, a browser that skipped a layout round. */
export const NOISE: readonly (string | RegExp)[] = [
  /^Script error\.?$/,
  /^Javascript error: Script error\.? on line 0$/i,
  'ResizeObserver loop limit exceeded',
  'ResizeObserver loop completed with undelivered notifications',
];
