/** One accepted request: its items as sent, and what the edge knew of it. */
export type SpoolRecord = {
  /** Position in the spool: starts at 1, grows by one, never used twice. */
  position: number;
  bytes: Uint8Array;
};

/** The durable queue between edge and digest. Source: LMDB. */
export interface SpoolWriter {
  /**
   * Appends one record, given in pieces. Resolves with its position once the bytes are synced to disk.
   * Rejects with ErrataError 'unavailable' at the bound, and when the disk refuses.
   */
  append(pieces: readonly Uint8Array[]): Promise<number>;
  /** Bytes that wait for digest, about. */
  sizeBytes(): number;
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

/** Event ids of the last 24 hours or 10 million, each with the position of the record that brought it. */
export interface RecentIds {
  /** Position at which the id was first seen; null when it is not remembered. */
  find(projectId: number, eventId: string): number | null;
  /** Durable when it resolves. An id that is known keeps its first position. */
  remember(
    entries: readonly { projectId: number; eventId: string; position: number }[],
    nowMs: number,
  ): Promise<void>;
  close(): Promise<void>;
}
