import type { UptimePhases } from '#domain/uptime/check.ts';
import { formatDuration } from '#domain/uptime/format-duration.ts';
import type { UptimeIncidentKind } from '#domain/uptime/incident.ts';
import { resolveMonitorIssue } from '#product/monitor-issues/resolve-monitor-issue.ts';
import type { MonitorFailure } from '#protocol/monitor-issue.ts';
import type { UptimeParts } from './check-due-monitor.ts';
import type { UntoldIncident } from './store/uptime-incident-store.ts';

/** Incidents that are told at once. */
const AT_ONCE_MAX = 100;
/** So long digest may take to store the event that opens the issue; afterwards nobody waits to resolve it. */
const RESOLVE_MS_MAX = 60 * 60_000;

/**
 * Hands incidents to digest, which makes issues of them, and resolves the issues of those that ended. What fails remains due.
 * Answers how many were told or ended.
 */
export async function tellIncidents({ stores, now }: Omit<UptimeParts, 'prober'>): Promise<number> {
  const untold = await stores.uptimeIncidents.listUntold(AT_ONCE_MAX);
  const started = untold.filter(({ isStartTold }) => !isStartTold);
  if (started.length > 0) {
    await stores.monitorFailures.tell(started.map(failureOf));
    for (const { id } of started) await stores.uptimeIncidents.noteStartTold(id, now());
  }
  let ended = 0;
  for (const incident of untold) if (await tellEnd({ stores, now }, incident)) ended++;
  return started.length + ended;
}

async function tellEnd(
  { stores, now }: Omit<UptimeParts, 'prober'>,
  { id, organizationId, projectId, monitorId, kind, startedAt, endedAt, isSuperseded }: UntoldIncident,
): Promise<boolean> {
  if (endedAt === null) return false;
  const fingerprint = uptimeFingerprint(monitorId, kind);
  // What began anew keeps the issue open.
  const isDone =
    isSuperseded ||
    (await resolveMonitorIssue(
      stores,
      { organizationId, projectId, fingerprint, failedAtMs: startedAt },
      now(),
    ));
  if (!isDone && now() - endedAt < RESOLVE_MS_MAX) return false;
  await stores.uptimeIncidents.noteEndTold(id, now());
  return true;
}

/** What the incidents of one issue have in common. */
export const uptimeFingerprint = (monitorId: number, kind: UptimeIncidentKind): readonly string[] => [
  'uptime',
  String(monitorId),
  kind,
];

function failureOf(incident: UntoldIncident): MonitorFailure {
  const { kind, monitorName, monitorId, evidence } = incident;
  return {
    type: 'uptime_domain_failure',
    organizationId: incident.organizationId,
    projectId: incident.projectId,
    eventId: incident.eventId,
    fingerprint: uptimeFingerprint(monitorId, kind),
    title:
      kind === 'downtime' ? `Downtime detected: ${monitorName}` : `Certificate expires soon: ${monitorName}`,
    level: kind === 'downtime' ? 'error' : 'warning',
    at: incident.startedAt,
    environment: incident.environment,
    traceId: evidence.traceId,
    tags: [
      ['monitor.id', String(monitorId)],
      ['url', evidence.url],
    ],
    evidence: {
      reason: evidence.detail,
      monitorPath: `monitors/uptime/${monitorId}`,
      facts: factsOf(incident),
    },
  };
}

function factsOf({ evidence }: UntoldIncident): { name: string; value: string }[] {
  const { statusCode, certificateExpiresAt, excerpt } = evidence;
  const facts: [string, string | null][] = [
    ['Request', `${evidence.method} ${evidence.url}`],
    ['Status', statusCode === null ? null : String(statusCode)],
    ['Duration', formatDuration(evidence.durationMs)],
    ...PHASES.map(([phase, name]): [string, string | null] => {
      const ms = evidence[phase];
      return [name, ms === null ? null : formatDuration(ms)];
    }),
    [
      'Certificate expires',
      certificateExpiresAt === null ? null : new Date(certificateExpiresAt).toISOString(),
    ],
    ['Response', excerpt],
  ];
  return facts.flatMap(([name, value]) => (value === null || value === '' ? [] : [{ name, value }]));
}

const PHASES: readonly (readonly [keyof UptimePhases, string])[] = [
  ['dnsMs', 'DNS lookup'],
  ['connectMs', 'Connection'],
  ['tlsMs', 'TLS handshake'],
  ['firstByteMs', 'Time to first byte'],
];
