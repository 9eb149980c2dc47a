/** How often a monitor can be checked, in seconds. */
export const UPTIME_INTERVALS = [30, 60, 300, 600, 1_200, 1_800, 3_600] as const;
export type UptimeInterval = (typeof UPTIME_INTERVALS)[number];

export const UPTIME_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
export type UptimeMethod = (typeof UPTIME_METHODS)[number];

/** What a response must be like for a check to succeed; every one of them. */
export type UptimeAssertion =
  /** The body contains the text, or does not; case counts. */
  | { kind: 'text'; text: string; isAbsent: boolean }
  /** A value of the JSON body by a path such as `status.checks[0].name` exists; `equals` null for any value. */
  | { kind: 'json'; path: string; equals: string | null }
  /** A response header exists; `equals` null for any value. */
  | { kind: 'header'; name: string; equals: string | null };

/** Checks run, and nothing is opened. Milliseconds since the epoch. */
export type MaintenanceWindow =
  | { kind: 'once'; fromMs: number; toMs: number }
  /** In UTC; `weekday` 0 is Sunday. A window that passes midnight ends on the next day. */
  | { kind: 'weekly'; weekday: number; startMinute: number; minutes: number };

/** What a monitor asks for and expects, besides header values, which are secret. */
export type UptimeDefinition = {
  method: UptimeMethod;
  /** Names of the headers that are sent, as they were written. */
  headerNames: readonly string[];
  /** null for none. */
  body: string | null;
  /** 1 to 60. */
  timeoutSeconds: number;
  followsRedirects: boolean;
  /** Inclusive ranges of status codes; at least one. */
  statuses: readonly StatusRange[];
  assertions: readonly UptimeAssertion[];
  /** Days before a certificate expires from which on that is an incident; 0 for never. */
  certificateDays: number;
  /** Failures in a row that open an incident. */
  failuresMin: number;
  /** Successes in a row that end it. */
  recoveriesMin: number;
  maintenance: readonly MaintenanceWindow[];
};

export type StatusRange = { from: number; to: number };

/** Values of the headers by name. */
export type UptimeHeaders = Readonly<Record<string, string>>;

export const UPTIME_STATES = ['new', 'up', 'down'] as const;
/** `new` until a check has told. */
export type UptimeState = (typeof UPTIME_STATES)[number];

export type UptimeMonitor = {
  id: number;
  organizationId: number;
  projectId: number;
  name: string;
  url: string;
  intervalSeconds: UptimeInterval;
  definition: UptimeDefinition;
  environment: string | null;
  owner: { kind: 'user' | 'team'; id: string; name: string } | null;
  isEnabled: boolean;
  state: UptimeState;
  /** Milliseconds since the epoch: since when the state is what it is; null while it is new. */
  stateSince: number | null;
  failuresInRow: number;
  successesInRow: number;
  lastCheckedAt: number | null;
  /** Why the last check failed, as a sentence; null when it succeeded. */
  lastProblem: string | null;
  /** How long the last check took; null before the first one. */
  lastDurationMs: number | null;
  /** Of the certificate that was seen last; null for none. */
  certificateExpiresAt: number | null;
  createdAt: number;
  updatedAt: number;
};
