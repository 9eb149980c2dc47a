/** How long each kind of data is kept, and what belongs to a kind. */

export const RETENTION_GROUPS = [
  'errors',
  'traces',
  'logs',
  'metrics',
  'sessions',
  'check_ins',
  'replays',
  'profiles',
  'stats',
] as const;
export type RetentionGroup = (typeof RETENTION_GROUPS)[number];

/** Days by group; data of an older day is dropped. */
export type RetentionDays = Readonly<Record<RetentionGroup, number>>;

export const RETENTION_DAYS_MIN = 1;
/** Longest retention that can be set. */
export const RETENTION_DAYS_MAX = 3_650;
