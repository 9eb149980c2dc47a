/** Statuses of spans that did not fail: nor did what was canceled, or what nobody knows of. */
export const NOT_FAILED: readonly string[] = ['ok', 'cancelled', 'unknown'];

/** Whether a span says by its status that it failed; not when it does not say how it ended. */
export const hasFailed = (status: string): boolean => status !== '' && !NOT_FAILED.includes(status);
