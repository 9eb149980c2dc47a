/** What a span calls the continuous profiler that ran during it: in transactions, by itself, and before. */
export const PROFILER_ATTRIBUTES = ['profiler_id', 'sentry.profiler_id', 'profiler.id'] as const;

/** The thread that a span ran on. */
export const THREAD_ATTRIBUTE = 'thread.id';
