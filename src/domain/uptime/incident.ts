import type { UptimePhases, UptimeReason } from './check.ts';

/** `certificate`: it expires within the days that the monitor warns of. */
export type UptimeIncidentKind = 'downtime' | 'certificate';

/** Of the check that opened an incident. */
export type UptimeEvidence = UptimePhases & {
  checkId: string;
  traceId: string;
  /** null for a certificate. */
  reason: UptimeReason | null;
  detail: string;
  method: string;
  url: string;
  statusCode: number | null;
  durationMs: number;
  /** The beginning of the body, without what is known to be secret; null without a response. */
  excerpt: string | null;
  certificateExpiresAt: number | null;
};

/** Times in milliseconds since the epoch. */
export type UptimeIncident = {
  id: number;
  organizationId: number;
  projectId: number;
  monitorId: number;
  kind: UptimeIncidentKind;
  startedAt: number;
  /** null while it goes on. */
  endedAt: number | null;
  evidence: UptimeEvidence;
  /** Of the event that opens the issue: 32 lower-case hex digits. */
  eventId: string;
};
