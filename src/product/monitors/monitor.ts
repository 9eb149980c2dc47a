import type { MonitorState } from '#domain/monitors/monitor-state.ts';
import type { MonitorSchedule } from '#protocol/monitor-config.ts';

/** How a monitor is watched. */
export type MonitorSettings = {
  /** null: nothing is expected of it. */
  schedule: MonitorSchedule | null;
  /** Name in the time zone database. */
  timeZone: string;
  /** Minutes. */
  checkinMargin: number;
  /** Minutes. */
  maxRuntime: number;
  /** In a row. */
  failureIssueThreshold: number;
  recoveryThreshold: number;
};

export const DEFAULT_MONITOR_SETTINGS: MonitorSettings = {
  schedule: null,
  timeZone: 'UTC',
  checkinMargin: 1,
  maxRuntime: 30,
  failureIssueThreshold: 1,
  recoveryThreshold: 1,
};

export type Monitor = MonitorSettings & {
  id: number;
  /** A UUID, which addresses of the API may name as well. */
  guid: string;
  organizationId: number;
  projectId: number;
  /** Unique in its project. */
  slug: string;
  name: string;
  ownerUserId: string | null;
  ownerTeamId: number | null;
  isDisabled: boolean;
  isMuted: boolean;
  /** Whether the schedule came with a check-in, and so may change with one. */
  isUpserting: boolean;
  /** Why the configuration that an SDK sent last was not taken; null when it was. */
  configProblem: string | null;
  /** Milliseconds since the epoch. */
  createdAt: number;
};

/** A monitor in one environment. Times are milliseconds since the epoch, null for never. */
export type MonitorEnvironment = Omit<MonitorState, 'incident'> & {
  id: number;
  monitorId: number;
  name: string;
  isDisabled: boolean;
  isMuted: boolean;
  createdAt: number;
  incidentId: string | null;
  incidentStartedAt: number | null;
  incidentToldAt: number | null;
};

/** How bad it stands: the lower, the sooner it is to be looked at. */
export const MONITOR_RANKS = {
  failing: 0,
  failed: 1,
  misconfigured: 2,
  ok: 3,
  waiting: 4,
  unscheduled: 5,
  muted: 6,
  disabled: 7,
} as const;
export type MonitorRank = keyof typeof MONITOR_RANKS;

/** Monitors of an organization; check-ins of more are stored, but not watched. */
export const MONITORS_PER_ORGANIZATION_MAX = 20_000;
/** Environments of a monitor; those of more are stored, but not watched. */
export const ENVIRONMENTS_PER_MONITOR_MAX = 100;

/** What failures of a monitor in an environment have in common: they are one issue. */
export const fingerprintOf = (monitorId: number, environment: string): readonly string[] => [
  'crons',
  String(monitorId),
  environment,
];
