import type { TransferKind, TransferRecord } from './records.ts';

/** Where records come from: a folder, the API of another monitor, its database. */
export type TransferSource = {
  /** For people: `Sentry at https://sentry.io, organization acme`. */
  name: string;
  /**
   * What progress is kept under: the same for the same organization of the same source, also from another machine, and
   * without anything secret. At most 500 characters.
   */
  key: string;
  /** In the order of `TRANSFER_KINDS`. Ends when the signal of the options does, by throwing its reason. */
  read(options: ReadOptions): AsyncIterable<TransferItem>;
  /** The content of a `file` that a record names. Throws NotFound. */
  openFile(path: string): Promise<AsyncIterable<Buffer>>;
  close(): Promise<void>;
};

export type ReadOptions = {
  /** What to read; `organization` and `project` are read in any case, since others name them. */
  kinds: ReadonlySet<TransferKind>;
  /** Of events and telemetry: when they arrived, half-open, in milliseconds since the epoch. */
  fromMs: number;
  toMs: number;
  /** Slugs of projects; null for all. */
  projects: ReadonlySet<string> | null;
  /**
   * What a checkpoint of an earlier run said that was not finished; null from the beginning. Records before it may be left
   * out, but for `organization`, `member`, `team` and `project`, which are read each time.
   */
  after: string | null;
  /**
   * Which of these records are in already, by their `id`: at most 1,000 at once. A reader for which a record costs a
   * request leaves those out; for the others it makes no difference.
   */
  listImported(kind: TransferKind, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** One line of what is going on, for people who look: `events of web: 1,200`. */
  progress(line: string): void;
  signal: AbortSignal;
};

export type TransferItem = TransferRecord | TransferCheckpoint | MalformedRecord;

/** Says how far the reader is: kept once everything before is in, and given back as `after`. */
export type TransferCheckpoint = {
  kind: 'checkpoint';
  /** At most 10,000 characters. */
  cursor: string;
};

/** A record that cannot be understood: it is reported, and the others go on. */
export type MalformedRecord = {
  kind: 'malformed';
  /** Where it is: `events.ndjson:17`, or an address. */
  place: string;
  /** A sentence for people. */
  problem: string;
};
