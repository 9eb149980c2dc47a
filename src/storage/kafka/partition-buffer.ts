import type { SpoolRecord } from '#storage/ports/spool.ts';

/** Bytes of a partition that are held ahead of digest, whatever the others hold: two batches, about. */
const OWN_BYTES_MAX = 16 * 1024 * 1024;

/** What was fetched of a partition and is not acknowledged yet. Positions are offsets, counted from 1. */
export class PartitionBuffer {
  readonly partition: number;
  /** Of the next record to fetch. */
  nextOffset: number;
  /** Of the record that will be written next, as the leader last said. */
  endOffset: number;
  /** When the leader said so, in milliseconds since the epoch. */
  endKnownAt = 0;
  /** Position up to which the log has lost what nobody had read; null when nothing. */
  lostUpTo: number | null = null;
  /** Why nothing is fetched; null while all is well. */
  trouble: string | null = null;
  acknowledged: number;
  /** Where the log ended at its shortest, when it was cut before what had been read; null when it was not. */
  cutAt: number | null = null;
  /** Records that were written since between there and what had been read: they are never fetched. */
  overwritten = 0;
  #records: SpoolRecord[] = [];
  #bytes = 0;
  /** Position → key of the record's bytes in the blob store, until it is acknowledged. */
  readonly blobKeys = new Map<number, string>();

  constructor(partition: number, position: number) {
    this.partition = partition;
    this.nextOffset = position;
    this.endOffset = position;
    this.acknowledged = position;
  }

  get hasRoom(): boolean {
    return this.#bytes < OWN_BYTES_MAX;
  }

  noteCut(end: number): void {
    this.cutAt = Math.min(this.cutAt ?? end, end);
  }

  /** The log is as long again as what had been read of it. */
  noteGrown(): void {
    if (this.cutAt === null) return;
    this.overwritten += this.nextOffset - this.cutAt;
    this.cutAt = null;
  }

  add(record: SpoolRecord): void {
    this.#records.push(record);
    this.#bytes += record.bytes.length;
    this.nextOffset = record.position;
  }

  read(after: number, limits: { records: number; bytes: number }): readonly SpoolRecord[] {
    // They follow each other without a gap.
    const first = this.#records[0]?.position ?? 0;
    const records: SpoolRecord[] = [];
    let bytes = 0;
    for (let index = Math.max(0, after + 1 - first); index < this.#records.length; index++) {
      const record = this.#records[index] as SpoolRecord;
      const isFull = records.length >= limits.records || bytes + record.bytes.length > limits.bytes;
      if (records.length > 0 && isFull) break;
      records.push(record);
      bytes += record.bytes.length;
    }
    return records;
  }

  /** Answers the keys of blobs that nobody needs any more. */
  acknowledge(upTo: number): readonly string[] {
    if (upTo <= this.acknowledged) return [];
    this.acknowledged = upTo;
    const kept = this.#records.findIndex(({ position }) => position > upTo);
    const gone = this.#records.splice(0, kept === -1 ? this.#records.length : kept);
    for (const { bytes } of gone) this.#bytes -= bytes.length;
    if (this.nextOffset < upTo) this.nextOffset = upTo;
    if (this.lostUpTo !== null && this.lostUpTo <= upTo) this.lostUpTo = null;
    const keys: string[] = [];
    for (const [position, key] of this.blobKeys) {
      if (position > upTo) continue;
      keys.push(key);
      this.blobKeys.delete(position);
    }
    return keys;
  }

  get depth(): number {
    return Math.max(0, this.endOffset - this.acknowledged);
  }

  /** The first that is not acknowledged; null when none was fetched. */
  get oldest(): SpoolRecord | null {
    return this.#records[0] ?? null;
  }
}
