import type { MonitorFailure } from '#protocol/monitor-issue.ts';

/** The way from the jobs role to digest, which makes events and issues of what failed. */
export type MonitorFailures = {
  /**
   * Durable when it resolves; digest takes failures in within seconds. Harmless when repeated. Rejects with ErrataError
   * 'unavailable' while too many wait: try again later.
   */
  tell(failures: readonly MonitorFailure[]): Promise<void>;
};
