const NOT_FAILED: ReadonlySet<string> = new Set(['', 'ok', 'cancelled', 'unknown']);

/** Whether a span says by its status that it failed; not when it was canceled, or does not say how it ended. */
export const hasFailed = (status: string): boolean => !NOT_FAILED.has(status);
