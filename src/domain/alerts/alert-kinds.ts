// Apart from their schemas, so that forms in the browser do without the parser.

/** What brings a rule to look at an issue. `event`: each event that its filters of the event fit. */
export const ALERT_TRIGGERS = ['first_seen', 'regression', 'escalation', 'event'] as const;

export const ALERT_MEASURES = [
  'events',
  'users',
  /** Shares of the sessions of the window, 0 to 100. */
  'crash_free_sessions',
  'crash_free_users',
  /** Share of the transactions of the window that failed, 0 to 100. */
  'failure_rate',
] as const;

/** What else can be measured, by a function over its rows. */
export const ALERT_DATASETS = ['spans', 'logs', 'metrics'] as const;
