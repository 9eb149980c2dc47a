/** Set by the server on every request to a page: path and query as the browser asked for them. */
export const PATH_HEADER = 'x-errata-path';
/** Set by the server on every request to a page: without it an inline script does not run. */
export const NONCE_HEADER = 'x-errata-nonce';
/** How long preferences of a browser are kept. */
export const YEAR_SECONDS = 365 * 24 * 3600;
export const LAST_ORGANIZATION_COOKIE = 'errata_org';
/** `light` or `dark`; absent to follow the system. */
export const THEME_COOKIE = 'errata_theme';
/** `folded` when the side bar shows icons only. */
export const SIDE_BAR_COOKIE = 'errata_sidebar';
