/** The `code` of a refusal that says: too many live connections are open. Pages tell it from other 429 and 503 by it. */
export const LIVE_BUSY_CODE = 'too_many_live_connections';
