import { monitorIssueHash } from '#pipeline/monitor-failures/digest-monitor-failure.ts';
import type { Stores } from '#product/stores.ts';

/**
 * Resolves the issue of a monitor that works again; an issue that a person archived or resolved stays as it is. Answers
 * false while there is no issue that has seen the failure of `failedAtMs`, which digest may still have before it: ask again.
 */
export async function resolveMonitorIssue(
  stores: Pick<Stores, 'issues'>,
  monitor: {
    organizationId: number;
    projectId: number;
    /** As in its failures. */
    fingerprint: readonly string[];
    /** Milliseconds since the epoch: of the last failure that was told. */
    failedAtMs: number;
  },
  nowMs: number,
): Promise<boolean> {
  const hash = monitorIssueHash(monitor.fingerprint);
  const issue = await stores.issues.findByHash(monitor.organizationId, monitor.projectId, hash);
  if (!issue || issue.lastSeen < monitor.failedAtMs) return false;
  if (issue.status === 'unresolved') {
    await stores.issues.update(
      monitor.organizationId,
      [issue.id],
      { status: 'resolved', resolution: { kind: 'now' } },
      null,
      nowMs,
    );
  }
  return true;
}
