/**
 * Why a check failed: the name did not resolve, no connection, no TLS, no answer in time, a redirect that leads nowhere, an
 * address that may not be requested, or a response that is not as expected.
 */
export const UPTIME_REASONS = [
  'dns_error',
  'connection_error',
  'tls_error',
  'timeout',
  'redirect_error',
  'not_allowed',
  'status',
  'text',
  'json',
  'header',
] as const;
export type UptimeReason = (typeof UPTIME_REASONS)[number];

/** Reasons that the network of this machine can be to blame for. */
export const NETWORK_REASONS: ReadonlySet<UptimeReason> = new Set<UptimeReason>([
  'dns_error',
  'connection_error',
  'timeout',
]);

/** Where the time of a request went, in milliseconds; null for what did not happen. Redirects add up. */
export type UptimePhases = {
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  firstByteMs: number | null;
};

/** `unknown`: this machine was offline, so that the check says nothing about the monitor. */
export const UPTIME_STATUSES = ['success', 'failure', 'unknown'] as const;
export type UptimeStatus = (typeof UPTIME_STATUSES)[number];

/** One check as it is stored. */
export type UptimeCheck = UptimePhases & {
  organizationId: number;
  projectId: number;
  monitorId: number;
  /** 32 lower-case hex digits. */
  checkId: string;
  /** Milliseconds since the epoch: when it began. */
  checkedAt: number;
  /** When it was to begin. */
  scheduledAt: number;
  status: UptimeStatus;
  reason: UptimeReason | null;
  /** The reason as a sentence; empty for a success. */
  detail: string;
  /** null without a response. */
  statusCode: number | null;
  durationMs: number;
  region: string;
  /** Sent with the request, so that the server's trace has it. */
  traceId: string;
  /** Whether it was made sooner than scheduled, to confirm a failure: it counts for the state, not for the availability. */
  isRetry: boolean;
  isInMaintenance: boolean;
  /** Whether an incident was open after it. */
  isInIncident: boolean;
  certificateExpiresAt: number | null;
};

/** There is one: the machine that Errata runs on. */
export const UPTIME_REGION = 'default';
