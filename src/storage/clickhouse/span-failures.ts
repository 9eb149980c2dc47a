/** Statuses of what did not fail: nor did what was canceled, or what nobody knows of. */
export const NOT_FAILED = "('ok', 'cancelled', 'unknown')";
