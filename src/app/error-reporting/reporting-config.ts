import { VERSION } from '#lib/version.ts';

/** What the browser needs to report errors; rendered into each page as JSON. */
export type ReportingConfig = {
  dsn: string;
  /** Same-origin path that takes envelopes. */
  tunnel: string;
  release: string;
  environment: string;
};

/** Id of the element that holds the JSON. */
export const REPORTING_CONFIG_ID = 'errata-error-reporting';

/** Path of the same-origin tunnel for one organization's project. */
export const tunnelPath = (organizationId: number, projectId: number): string =>
  `/monitoring?o=${organizationId}&p=${projectId}`;

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

/** Release of this app as its own errors name it. */
export const reportingRelease = (): string => `errata@${VERSION}`;

export const reportingEnvironment = (): string =>
  process.env.NODE_ENV === 'development' ? 'development' : 'production';
