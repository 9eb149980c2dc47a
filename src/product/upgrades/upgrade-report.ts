import type { UpgradePlan } from './plan-upgrade.ts';

/** What a start of this version will do with the data that is there. Times are milliseconds since the epoch. */
export type UpgradeReport = {
  /** Of this program. */
  version: string;
  /** The version that ran on the data last; null when it did not note itself, as 0.1.0 and builds before it. */
  installed: { version: string; startedAt: number } | null;
  /** Migrations that are applied, by store; 0: there is no schema yet. */
  applied: Readonly<Record<string, number>>;
  /** Migrations of a newer version, with which this one still runs. */
  newer: readonly string[];
  plan: UpgradePlan;
  /** An upgrade to this version was interrupted, and will be continued. */
  isUnfinished: boolean;
  /** The backup that the start makes first. */
  backup:
    | { kind: 'none'; reason: string }
    | { kind: 'planned'; folder: string; neededBytes: number; ms: number; missingBytes: number };
  lastGoodBackup: { id: string; folder: string; at: number } | null;
  /** Of the volume of the data directory; null with external stores, whose disks are not seen from here. */
  disk: { freeBytes: number; neededBytes: number; missingBytes: number } | null;
  /** Whether the version before can start on the data after the upgrade, and which migrations keep it from that. */
  downgrade: { version: string; isPossible: boolean; because: readonly string[] };
  problems: readonly { detail: string; next: string }[];
};
