import { NOT_FAILED as STATUSES } from '#domain/traces/has-failed.ts';

/** Statuses of what did not fail, as a list of SQL. */
export const NOT_FAILED = `(${STATUSES.map((status) => `'${status}'`).join(', ')})`;
