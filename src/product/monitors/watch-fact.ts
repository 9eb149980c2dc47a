import type { MonitorFailure } from '#protocol/monitor-issue.ts';
import type { DigestedCheckIn } from '#protocol/telemetry.ts';

/** What is to be stored and told, with all that it needs. */
export type WatchFact =
  | { kind: 'row'; row: DigestedCheckIn }
  | { kind: 'failure'; failure: MonitorFailure }
  | {
      kind: 'recovery';
      organizationId: number;
      projectId: number;
      environmentId: number;
      fingerprint: readonly string[];
      failedAtMs: number;
    };
