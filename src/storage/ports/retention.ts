import type { RetentionDays, RetentionGroup } from '#protocol/retention.ts';
import type { TelemetryKind } from '#protocol/telemetry.ts';

/** Tables that only grow, and lose whole days. */
export type StoredKind = 'events' | TelemetryKind;

/** The rows of one kind that arrived on one UTC day. */
export type StoredDay = {
  kind: StoredKind;
  /** `2026-01-31` */
  day: string;
  rows: number;
  /** On disk, compressed. */
  bytes: number;
};

/** A piece of a day, in the order in which the rows arrived. */
export type StoredPart = StoredDay & { part: string };

/** A day, or a part of it: what can be dropped at once. */
export type Droppable = { kind: StoredKind; day: string; part: string | null };

/** Days of the analytic store. Source: ClickHouse. */
export interface StoredDays {
  /** Oldest day first. */
  list(): Promise<readonly StoredDay[]>;
  /** Parts of a day over all kinds, oldest rows first. */
  listParts(day: string): Promise<readonly StoredPart[]>;
  /** Whose rows they are. */
  countByProject(
    unit: Droppable,
  ): Promise<readonly { organizationId: number; projectId: number; rows: number }[]>;
  /** Keys of the blobs that the rows name, ascending, after a key; at most `limit`. */
  listBlobKeys(unit: Droppable, after: string, limit: number): Promise<readonly string[]>;
  /** Gone, and its space returned, when it resolves. Nothing happens when it is gone already. */
  drop(unit: Droppable): Promise<void>;
  /** Of the given hashes (`projectId:hash`), those that have at least one event. */
  findHashesWithEvents(hashes: readonly { projectId: number; hash: string }[]): Promise<ReadonlySet<string>>;
}

export type DropReason = 'age' | 'disk_budget';

export type RetentionDrop = {
  id: number;
  kind: StoredKind | 'blobs';
  day: string;
  part: string | null;
  reason: DropReason;
  rows: number;
  bytes: number;
  /** Milliseconds since the epoch. */
  startedAt: number;
  /** null while it is under way. */
  doneAt: number | null;
};

/** Decisions about retention, what was dropped, and what of the relational store is out of date. Source: PostgreSQL. */
export interface RetentionStore {
  /** What was decided; groups that nobody decided about have the instance's default. */
  findDays(): Promise<RetentionDays>;
  /** Answers what counts now; null for a group returns it to the default. */
  saveDays(change: Partial<Record<RetentionGroup, number | null>>): Promise<RetentionDays>;
  /** In one transaction: the drop is noted and its rows are counted as expired, by project. Answers its id. */
  beginDrop(
    drop: Omit<RetentionDrop, 'id' | 'doneAt'>,
    counts: readonly { organizationId: number; projectId: number; rows: number }[],
    nowMs: number,
  ): Promise<number>;
  finishDrop(id: number, nowMs: number): Promise<void>;
  /** Begun and not finished: a crash came between. Oldest first. */
  listUnfinished(): Promise<readonly RetentionDrop[]>;
  /** Newest first. */
  listDrops(limit: number): Promise<readonly RetentionDrop[]>;
  /** Issues last seen before the moment, after an id, with their hashes; at most `limit`, by id. */
  listSilentIssues(
    beforeMs: number,
    afterId: number,
    limit: number,
  ): Promise<readonly { issueId: number; projectId: number; hashes: readonly string[] }[]>;
  /** Only those that were not seen again in the meantime. Answers how many. */
  deleteSilentIssues(issueIds: readonly number[], beforeMs: number): Promise<number>;
  /** Counters of hours before the moment, news that were told or that nobody fetched, and quarantined records. */
  deleteOld(before: {
    statsMs: number;
    newsMs: number;
    quarantineMs: number;
    dropsMs: number;
  }): Promise<void>;
}

export type DiskUsage = {
  /** Bytes that the files below the data directory occupy. */
  usedBytes: number;
  parts: {
    clickhouse: number;
    postgres: number;
    spool: number;
    blobs: number;
    artifacts: number;
    other: number;
  };
  /** What the files may occupy: data is dropped before they do. */
  budgetBytes: number;
  /** Of the volume that the data directory lies on. */
  volumeBytes: number;
  /** What an unprivileged program may still write. */
  freeBytes: number;
};

/** Source: the file system. */
export interface DiskMeter {
  measure(): Promise<DiskUsage>;
}
