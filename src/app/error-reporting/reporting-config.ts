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
