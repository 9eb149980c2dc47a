/** Units of an interval, as SDKs name them. */
export const INTERVAL_UNITS = ['year', 'month', 'week', 'day', 'hour', 'minute'] as const;
export type IntervalUnit = (typeof INTERVAL_UNITS)[number];

export type MonitorSchedule =
  | { type: 'crontab'; value: string }
  | { type: 'interval'; value: number; unit: IntervalUnit };

/** What an SDK sends with a check-in about its monitor. */
export type MonitorConfig = {
  schedule: MonitorSchedule;
  /** Minutes. */
  checkin_margin?: number;
  /** Minutes. */
  max_runtime?: number;
  /** Name in the time zone database. */
  timezone?: string;
  /** Failures in a row that make an issue. */
  failure_issue_threshold?: number;
  /** Successes in a row that resolve it. */
  recovery_threshold?: number;
  /** `user:<id>` or `team:<id>`. */
  owner?: string;
};
