import type { TelemetryKind } from '#protocol/telemetry.ts';

/** Tables that only grow, and lose whole days. */
export type StoredKind = 'events' | 'uptimeChecks' | TelemetryKind;

/** The rows of one kind that arrived on one UTC day. */
export type StoredDay = {
  kind: StoredKind;
  /** `2026-01-31` */
  day: string;
  rows: number;
  /** On disk, compressed. */
  bytes: number;
};

/** What can be dropped at once: a day, or of one project a day or hours of it. */
export type Droppable = {
  kind: StoredKind;
  day: string;
  /** Part of the analytic store; only in drops that an older version began. */
  part: string | null;
  /** null for all projects. */
  projectId: number | null;
  /** Hours of arrival in UTC, 0 to 23; empty for the whole day. */
  hours: readonly number[];
};

/** How much of a day's rows belongs to a project: weights say what part of the day's bytes. */
export type ProjectShare = { organizationId: number; projectId: number; rows: number; weight: number };

/** The shares of one kind and day, as they were measured. */
export type DayShares = {
  kind: StoredKind;
  day: string;
  /** Rows of all projects then. */
  dayRows: number;
  projects: readonly ProjectShare[];
};

/** Days of the analytic store. Source: ClickHouse. */
export interface StoredDays {
  /** Oldest day first. */
  list(): Promise<readonly StoredDay[]>;
  /** What removed rows occupy until the store has cleared them away, within minutes and by itself. */
  clearingBytes(): Promise<number>;
  /** Whose rows a day has, and how much of it: rows are weighed by what a sample of them takes when compressed. */
  weigh(kind: StoredKind, day: string): Promise<readonly ProjectShare[]>;
  /** What arrived of a project by hour, uncompressed. */
  weighHours(
    kind: StoredKind,
    day: string,
    projectId: number,
  ): Promise<readonly { hour: number; weight: number }[]>;
  /** Whose rows they are. */
  countByProject(
    unit: Droppable,
  ): Promise<readonly { organizationId: number; projectId: number; rows: number }[]>;
  /** Keys of the blobs that the rows name, ascending, after a key; at most `limit`. */
  listBlobKeys(unit: Droppable, after: string, limit: number): Promise<readonly string[]>;
  /** Of the keys, all of blobs of one project and day, those that a row of that day names. */
  findNamedBlobs(day: string, projectId: number, keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** What is of one kind and day; gone, its space about to return, when it resolves. What is gone already may be named again. */
  drop(units: readonly Droppable[]): Promise<void>;
  /** Events of an organization that arrived since a moment, and those of them that spike protection left the body out of. */
  countBodies(
    organizationId: number,
    sinceMs: number,
  ): Promise<readonly { projectId: number; events: number; withoutBody: number }[]>;
  /** Of the given hashes (`projectId:hash`), those that have at least one event. */
  findHashesWithEvents(hashes: readonly { projectId: number; hash: string }[]): Promise<ReadonlySet<string>>;
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
