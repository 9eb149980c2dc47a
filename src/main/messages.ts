import type { Check } from '#ingest/answer-health.ts';
import type { RoleName } from '../config.ts';

/** What a role needs beyond the configuration; only the supervisor knows it. Sent as the first message. */
export type RoleInit = {
  type: 'init';
  databaseUrl: string;
  /** Of the same database without a pooler; null when there is none in between. */
  databaseDirectUrl: string | null;
  clickhouseUrl: string;
  /** Whether other machines may use the same relational store. */
  isShared: boolean;
  secret: string;
  /** For the edge alone; empty for the others. */
  metricsToken: string;
  /** Port of the web role on loopback; null when it does not run here. */
  webPort: number | null;
  /** Whether events that arrive here are digested: by this machine, or by any that reads the topic. */
  takesEvents: boolean;
  isDevelopment: boolean;
};

export type ToRole =
  | RoleInit
  /** Soon it stops: load balancers are to learn it. */
  | { type: 'drain' }
  | { type: 'stop' }
  | { type: 'health'; checks: Record<string, Check>; digest: DigestFigures | null };

export type DigestFigures = {
  /** Of the last record that is done. */
  position: number;
  /** Records that wait. */
  depth: number;
  events: number;
  quarantined: number;
};

export type FirstRun =
  | { kind: 'done'; dsn: string | null }
  /** Nobody owns the instance yet: where to set it up. */
  | { kind: 'setup'; address: string };

/** How far a start is that upgrades the data. */
export type UpgradeProgress = {
  from: string | null;
  to: string;
  /** What is being done, for people, and how far that is; null: nothing is known of it. */
  doing: string;
  detail: string | null;
  /** Of all migrations, from 1; 0 before the first. */
  number: number;
  count: number;
  /** When the upgrade began, milliseconds since the epoch. */
  startedAt: number;
};

export type FromRole =
  | { type: 'heartbeat'; role: RoleName; check: Check; digest?: DigestFigures }
  | { type: 'upgrading'; progress: UpgradeProgress }
  | { type: 'prepared'; firstRun: FirstRun }
  | { type: 'failed'; message: string };

/** A started role, as its process sees it. */
export type StartedRole = {
  check(): Check;
  digest?(): DigestFigures;
  /** Other parts' health, for the edge and the pages. */
  onHealth?(checks: Record<string, Check>, digest: DigestFigures | null): void;
  /** Says that it is about to stop, and goes on. */
  drain?(): void;
  stop(): Promise<void>;
};
