import type { AppliedMigration } from '#lib/migration-files.ts';

/** Lets digest finish its batch and keeps it from beginning another while `work` runs. */
export interface DigestPause {
  during<Result>(work: () => Promise<Result>): Promise<Result>;
}

export type BackupTable = { name: string; columns: readonly string[] };
export type SequenceValue = { name: string; value: number; isCalled: boolean };

/** Lets one backup at a time be made of an instance. Throws ErrataError 'conflict' meanwhile. */
export interface BackupLock {
  during<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** The relational store as it was at one moment. Source: PostgreSQL, a transaction that repeats its reads. */
export interface RelationalCut {
  readonly migrations: readonly AppliedMigration[];
  readonly tables: readonly BackupTable[];
  /** As they are now, which is no less than at the moment. */
  readSequences(): Promise<readonly SequenceValue[]>;
  /** 0 for a spool that nothing was stored of yet. */
  findSpoolPosition(spoolId: string): Promise<number>;
  /** Rows as the text format of COPY has them. One table at a time, to its end. */
  read(table: BackupTable): AsyncIterable<Buffer>;
  end(): Promise<void>;
}

export interface RelationalSource {
  cut(): Promise<RelationalCut>;
}

/** An empty relational store to be filled. */
export interface RelationalDestination {
  /** What it holds, for people; null when it is empty. */
  describeContent(): Promise<string | null>;
  /** Makes the schema of these migrations. Throws when this program does not know one of them. */
  prepare(migrations: readonly AppliedMigration[]): Promise<void>;
  write(table: BackupTable, rows: AsyncIterable<Buffer>): Promise<void>;
  /** What depends on all tables: keys between them, and where sequences go on. */
  finish(sequences: readonly SequenceValue[]): Promise<void>;
  count(table: string): Promise<number>;
  read(table: BackupTable): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

export type PartitionName = { table: string; partition: string };

/** What tells that the rows are the same, however they lie on disk; rows with the same key count once. */
export type PartitionFacts = {
  rows: number;
  /** Of the keys of all rows. */
  keysHash: string;
  /** Of all columns of some rows, by the hash of their key. */
  sample: Readonly<Record<string, string>>;
};

/** Changes with everything that is done to its rows, and with merges. */
export type StoredPartition = PartitionName & { fingerprint: string };

/** The analytic store as it was at one moment. Source: ClickHouse, hard links to its parts. */
export interface AnalyticCut {
  readonly migrations: readonly AppliedMigration[];
  readonly tables: readonly BackupTable[];
  readonly partitions: readonly StoredPartition[];
  /** Those that were held. Rows in the format Native, compressed by zstd. */
  read(partition: PartitionName): AsyncIterable<Buffer>;
  measure(partition: PartitionName): Promise<PartitionFacts>;
  end(): Promise<void>;
}

export interface AnalyticSource {
  /** Everything that takes time, before digest has to wait. */
  begin(): Promise<BegunCut>;
}

export interface BegunCut {
  /** Holds every partition but those whose fingerprint `isKnown`. */
  hold(isKnown: (partition: StoredPartition) => boolean): Promise<AnalyticCut>;
  end(): Promise<void>;
}

export interface AnalyticDestination {
  describeContent(): Promise<string | null>;
  prepare(migrations: readonly AppliedMigration[]): Promise<void>;
  /** Rows as `AnalyticCut.read` gave them. */
  write(table: BackupTable, rows: AsyncIterable<Buffer>): Promise<void>;
  /** The sample is of the rows with these keys. */
  measure(partition: PartitionName, keys: readonly string[]): Promise<PartitionFacts>;
  /** Events and transactions that arrived since, in pages. */
  listEventIds(sinceMs: number): AsyncIterable<readonly { projectId: number; eventId: string }[]>;
  close(): Promise<void>;
}

/** A file that never changes under its path. */
export type StoredFile = { path: string; bytes: number; writtenAtMs: number };

export interface FileSource {
  /** The folders that files lie in. */
  listGroups(): Promise<readonly string[]>;
  /** By path, which begins with the name of the group. */
  list(group: string): Promise<readonly StoredFile[]>;
  /** null when it is gone. */
  open(path: string): Promise<AsyncIterable<Buffer> | null>;
}

export interface FileDestination {
  /** Throws when it does not become `bytes` long. */
  write(file: StoredFile, content: AsyncIterable<Buffer>): Promise<void>;
}

/** An event id that was remembered before what it came with was counted. */
export type UncountedId = { projectId: number; eventId: string; position: number };

/** What was accepted and waits, while digest pauses. */
export interface SpoolSource {
  readonly spoolId: string;
  /** Records after a position up to what is synced now. */
  read(after: number): AsyncIterable<{ position: number; bytes: Uint8Array }>;
  listUncounted(after: number): Promise<readonly UncountedId[]>;
}

export interface SpoolDestination {
  /** Makes the spool, which goes on after this position, with records in their order. */
  write(spoolId: string, after: number, records: AsyncIterable<Uint8Array>): Promise<number>;
  /** Each keeps its first position. */
  remember(ids: readonly UncountedId[]): Promise<void>;
  close(): Promise<void>;
}
