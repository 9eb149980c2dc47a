import { encodeRecord } from '#ingest/spool-record.ts';
import { MONITOR_FAILURE_ITEM } from '#pipeline/monitor-failures/digest-monitor-failure.ts';
import type { MonitorFailure } from '#protocol/monitor-issue.ts';
import type { MonitorFailures } from '#storage/ports/monitor-failures.ts';
import { putIntoInbox } from '#storage/spool-files/inbox.ts';

/** Failures of a project in one record of the spool. */
const FAILURES_PER_RECORD_MAX = 100;

/** Hands failures of monitors to digest through the inbox of the spool, which its writer takes in. */
export const openMonitorFailures = (spool: string, now: () => number): MonitorFailures => ({
  async tell(failures) {
    for (const ofProject of Map.groupBy(failures, ({ projectId }) => projectId).values()) {
      for (let start = 0; start < ofProject.length; start += FAILURES_PER_RECORD_MAX) {
        await putIntoInbox(spool, recordOf(ofProject.slice(start, start + FAILURES_PER_RECORD_MAX), now()));
      }
    }
  },
});

/** No key brought it: its number is 0, which no key has. */
function recordOf(failures: readonly MonitorFailure[], nowMs: number): Uint8Array[] {
  const [{ organizationId, projectId }] = failures as [MonitorFailure];
  return encodeRecord({
    organizationId,
    projectId,
    keyId: 0,
    receivedAtMs: nowMs,
    sentAtMs: null,
    eventId: null,
    clientIp: null,
    userAgent: null,
    isReplay: false,
    items: failures.map((failure) => ({
      type: MONITOR_FAILURE_ITEM,
      payload: Buffer.from(JSON.stringify(failure)),
    })),
    outcomes: [],
  });
}
