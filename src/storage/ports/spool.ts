/** One accepted request: its items as sent, and what the edge knew of it. */
export type SpoolRecord = {
  /** Position in the spool: starts at 1, grows by one, never used twice. */
  position: number;
  bytes: Uint8Array;
};

/** Whose record it is, and which event it brings; null for none. */
export type RecordOrigin = { projectId: number; eventId: string | null };

/** The durable queue between edge and digest. Source: files, or a Kafka topic. */
export interface SpoolWriter {
  /**
   * Appends one record, given in pieces. Resolves with its position once the bytes are synced to disk, or once every
   * replica in sync has them. Records of one origin with an event go to one partition, where there are several.
   * Rejects with ErrataError 'unavailable' at the bound, and when the disk or the brokers refuse; `isUndecided` where
   * they may have the record all the same. Nobody waits for the answer of one that `isPatient`: it then stays until the
   * brokers have decided, and not only as long as a request may take.
   */
  append(
    pieces: readonly Uint8Array[],
    origin?: RecordOrigin | null,
    options?: { isPatient: boolean },
  ): Promise<number>;
  /** Bytes that wait for digest, about, or for the brokers; and the bound of them, above which none is taken. */
  sizeBytes(): number;
  readonly bytesMax: number;
  /** Why records are refused now; null while they are taken. After a while without records, trouble is forgotten or looked for. */
  trouble(): string | null;
  close(): Promise<void>;
}

export interface SpoolReader {
  /** Made when the spool is; names it in the relational store. */
  readonly spoolId: string;
  /** Records after a position, oldest first, bounded by count and by bytes (at least one record when there is any). */
  read(after: number, limits: { records: number; bytes: number }): readonly SpoolRecord[];
  /** Forgets everything up to and including a position. */
  acknowledge(upTo: number): Promise<void>;
  /** Records that wait. */
  depth(): number;
  close(): Promise<void>;
}

/** A part of a spool that several processes read, each its own parts. */
export interface PartitionReader extends SpoolReader {
  /** Position up to which the log has lost records that nobody had read; null for none. Nothing behind is read before it is acknowledged. */
  lostUpTo(): number | null;
  /** Records since it was opened that were written to positions that had been read before, by a log that was cut. */
  overwritten(): number;
  /** The first record that waits; null when none was fetched. */
  oldest(): Uint8Array | null;
  state(): {
    /** Of the last record of the partition. */
    endPosition: number;
    /** When that was so, in milliseconds since the epoch; 0 for never. */
    knownAt: number;
    /** Why nothing is read; null while all is well. */
    trouble: string | null;
  };
}

/** Event ids of the last 24 hours or 10 million, each with the position of the record that brought it. */
export interface RecentIds {
  /**
   * Position at which the id was first seen; null when it is not remembered. Of what another process had read before this
   * one took over: minus the time at which the event was received.
   */
  find(projectId: number, eventId: string): number | null;
  /** Durable when it resolves. An id that is known keeps its first position. */
  remember(
    entries: readonly { projectId: number; eventId: string; position: number }[],
    nowMs: number,
  ): Promise<void>;
  close(): Promise<void>;
}

export type ArrivedId = {
  projectId: number;
  eventId: string /** Milliseconds since the epoch. */;
  receivedAt: number;
};

/** What is stored of late, by partition of the spool. Source: ClickHouse. */
export interface ArrivedIds {
  /** Ids that were received in a time, of the wanted ones of so many partitions, in pages, newest first. */
  list(range: {
    sinceMs: number;
    untilMs: number;
    partitions: number;
    wanted: readonly number[];
  }): AsyncIterable<readonly ArrivedId[]>;
}
