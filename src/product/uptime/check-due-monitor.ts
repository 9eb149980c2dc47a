import { createHash, randomBytes } from 'node:crypto';
import type { UptimeProber } from '#delivery/ports/uptime-prober.ts';
import { advanceState } from '#domain/uptime/advance-state.ts';
import { UPTIME_REGION, type UptimeCheck } from '#domain/uptime/check.ts';
import type { UptimeEvidence, UptimeIncidentKind } from '#domain/uptime/incident.ts';
import { isInMaintenance } from '#domain/uptime/maintenance.ts';
import { nextSlot, RETRY_AFTER_MS } from '#domain/uptime/schedule.ts';
import { DAY_MS } from '#lib/time.ts';
import type { Stores } from '#product/stores.ts';
import { type CheckResult, runCheck } from './run-check.ts';
import type { DueMonitor, FinishedCheck } from './store/uptime-lease-store.ts';

export type UptimeParts = {
  stores: Pick<Stores, 'uptimeLeases' | 'uptimeChecks' | 'uptimeIncidents' | 'monitorFailures' | 'issues'>;
  prober: UptimeProber;
  now: () => number;
};

/** Past its timeout, for writing down what came of it. */
const LEASE_MS = 30_000;

/** Monitors whose time has come; others get them only when nothing is heard of their check. */
export const takeDueMonitors = ({ stores, now }: Omit<UptimeParts, 'prober'>, limit: number) =>
  stores.uptimeLeases.takeDue(now(), { limit, leaseMs: LEASE_MS });

/**
 * Checks a monitor and writes down what that changes. The row for the analytic store is the caller's to insert; null when the
 * monitor was edited, paused or deleted meanwhile, so that the check no longer counts.
 */
export async function checkDueMonitor(parts: UptimeParts, due: DueMonitor): Promise<UptimeCheck | null> {
  const checkedAt = parts.now();
  const result = await runCheck(parts.prober, due);
  const check = { checkedAt, isInMaintenance: isInMaintenance(due.definition.maintenance, checkedAt) };
  const checkId = randomBytes(16).toString('hex');
  const finished = finish(due, result, { ...check, checkId, nowMs: parts.now() });
  if (!(await parts.stores.uptimeLeases.finish(due, finished))) return null;
  const { excerpt: _, ...stored } = result;
  return {
    ...stored,
    ...check,
    checkId,
    organizationId: due.organizationId,
    projectId: due.projectId,
    monitorId: due.id,
    scheduledAt: due.scheduledAt,
    region: UPTIME_REGION,
    isRetry: due.isRetry,
    isInIncident: finished.state === 'down',
  };
}

type Moment = { checkedAt: number; isInMaintenance: boolean; checkId: string; nowMs: number };

function finish(due: DueMonitor, result: CheckResult, moment: Moment): FinishedCheck {
  const { checkedAt } = moment;
  const advance = advanceState(due, { ...result, ...moment }, due.definition);
  const certificateExpiresAt = result.certificateExpiresAt ?? due.certificateExpiresAt;
  const opens: FinishedCheck['opens'][number][] = [];
  const ends: FinishedCheck['ends'][number][] = [];
  const open = (kind: UptimeIncidentKind, evidence: Partial<UptimeEvidence> = {}) =>
    opens.push({
      kind,
      startedAt: checkedAt,
      eventId: eventIdOf(due.id, kind, checkedAt),
      evidence: { ...evidenceOf(due, result, moment), ...evidence },
    });
  if (advance.turn === 'opened') open('downtime');
  if (advance.turn === 'ended') ends.push({ kind: 'downtime', endedAt: checkedAt });
  if (result.status === 'success' && result.certificateExpiresAt !== null) {
    const days = (result.certificateExpiresAt - checkedAt) / DAY_MS;
    if (days >= due.definition.certificateDays) ends.push({ kind: 'certificate', endedAt: checkedAt });
    else if (!moment.isInMaintenance) open('certificate', { reason: null, detail: expiryDetail(days) });
  }
  const next = nextCheck(due, advance, result, moment.nowMs);
  return {
    state: advance.state,
    failuresInRow: advance.failuresInRow,
    successesInRow: advance.successesInRow,
    lastProblem: result.status === 'success' ? null : result.detail,
    lastDurationMs: result.durationMs,
    certificateExpiresAt,
    checkedAt,
    ...next,
    opens,
    ends,
  };
}

const expiryDetail = (days: number): string =>
  days < 1 ? 'The certificate expires within a day' : `The certificate expires in ${Math.floor(days)} days`;

/** A failure that does not yet open an incident is confirmed sooner than the schedule says. */
function nextCheck(
  { id, intervalSeconds, definition }: DueMonitor,
  { state, failuresInRow }: { state: string; failuresInRow: number },
  { status }: CheckResult,
  nowMs: number,
): { nextCheckAt: number; isNextRetry: boolean } {
  const slot = nextSlot(id, intervalSeconds, nowMs);
  const isUndecided = status === 'failure' && state !== 'down' && failuresInRow < definition.failuresMin;
  const retry = nowMs + RETRY_AFTER_MS;
  return isUndecided && retry < slot
    ? { nextCheckAt: retry, isNextRetry: true }
    : { nextCheckAt: slot, isNextRetry: false };
}

const evidenceOf = (
  { url, definition }: DueMonitor,
  result: CheckResult,
  { checkId }: Moment,
): UptimeEvidence => ({
  checkId,
  traceId: result.traceId,
  reason: result.reason,
  detail: result.detail,
  method: definition.method,
  url,
  statusCode: result.statusCode,
  durationMs: result.durationMs,
  dnsMs: result.dnsMs,
  connectMs: result.connectMs,
  tlsMs: result.tlsMs,
  firstByteMs: result.firstByteMs,
  excerpt: result.excerpt,
  certificateExpiresAt: result.certificateExpiresAt,
});

/** The same however often the incident is told. */
const eventIdOf = (monitorId: number, kind: UptimeIncidentKind, startedAt: number): string =>
  createHash('sha256').update(`uptime ${monitorId} ${kind} ${startedAt}`).digest('hex').slice(0, 32);
