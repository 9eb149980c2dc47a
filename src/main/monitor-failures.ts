import { encodeRecord } from '#ingest/spool-record.ts';
import { MONITOR_FAILURE_ITEM } from '#pipeline/monitor-failures/digest-monitor-failure.ts';
import type { MonitorFailure } from '#protocol/monitor-issue.ts';
import type { MonitorFailures } from '#storage/ports/monitor-failures.ts';
import type { SpoolInbox } from './open-inbox.ts';

/** Failures of a project in one record of the spool. */
const FAILURES_PER_RECORD_MAX = 100;

/** Hands failures of monitors to digest. One that is told again is found by its event ID, so each has a record where that decides its way. */
export const openMonitorFailures = (inbox: SpoolInbox, now: () => number): MonitorFailures => ({
  async tell(failures) {
    const most = inbox.isShared ? 1 : FAILURES_PER_RECORD_MAX;
    for (const [projectId, ofProject] of Map.groupBy(failures, (failure) => failure.projectId)) {
      for (let start = 0; start < ofProject.length; start += most) {
        const some = ofProject.slice(start, start + most);
        await inbox.append(recordOf(some, now()), { projectId, eventId: some[0]?.eventId ?? null });
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
