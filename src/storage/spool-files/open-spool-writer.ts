import { fdatasync, readdirSync, write } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { messageOf, unavailable } from '#lib/errors.ts';
import type { SpoolWriter } from '#storage/ports/spool.ts';
import { readOrMakeIdentity, type SpoolIdentity } from './identity.ts';
import { Inbox } from './inbox.ts';
import { recover } from './recover.ts';
import { finishRenewal, isRenewalPending } from './renewal.ts';
import { FRAME_HEAD_BYTES, SEGMENT_HEAD_BYTES, type Segment, writeFrame } from './segment.ts';
import { NEEDS_SYNC, removeUnfinished, SegmentFiles } from './segment-files.ts';
import { type Acknowledged, AcknowledgedFile, HeadFile, type SpoolHead } from './spool-figures.ts';

/** Size of a segment; a record that is larger makes its segment larger. */
const SEGMENT_BYTES = 64 * 1024 * 1024;
/** Records of one commit, which ends when this or the number of bytes is reached. */
const GROUP_RECORDS_MAX = 1_000;
/** Bytes of one commit, about. */
const GROUP_BYTES_MAX = 4 * 1024 * 1024;
/** A commit up to this size is put together in a buffer that is kept; a larger one has its own. */
const BUFFER_BYTES = 1024 * 1024;
/** How long the writer uses a known position of digest before it reads it again. */
const ACKNOWLEDGED_AGE_MS_MAX = 50;
/** Acknowledged segments are given up, and the inbox is looked at, this often. */
const MAINTAIN_INTERVAL_MS = 250;
/** After the disk refused a new segment, records are refused for this long before it is asked again. */
const REFUSED_MS = 500;
/** As long as nothing arrives meanwhile, the disk that refused is asked again this often. */
const PROBE_MS = 5_000;

export type SpoolWriterOptions = {
  segmentBytes?: number;
  /** Asked once, when the spool is made: the one that it continues. */
  origin?: () => SpoolIdentity | null;
  /** Told of records that cannot be read any more. */
  onDamage?: (detail: string) => void;
};

/**
 * All records that wait form one write, which is synced when it returns; then all of them are answered. One commit at a
 * time: with two under way each holds half of the records, and a request costs more (measured). One writer at a time,
 * too: others hand their records over by `putIntoInbox`. A former writer's end is found first, and a new segment begun.
 */
export function openSpoolWriter(
  folder: string,
  bytesMax: number,
  { segmentBytes = SEGMENT_BYTES, origin = () => null, onDamage = () => {} }: SpoolWriterOptions = {},
): SpoolWriter {
  const identity = readOrMakeIdentity(folder, origin);
  const headFile = new HeadFile(folder);
  const acknowledgedFile = new AcknowledgedFile(folder);
  const inbox = new Inbox(folder);
  const known = acknowledgedFile.read();
  const found = recover(
    folder,
    identity.startsAfter,
    headFile.read(),
    known,
    (record) => inbox.noteSpooled(record),
    onDamage,
  );
  // Lost with the machine: until digest tells again, what was forgotten is taken for acknowledged, and nothing else.
  let acknowledged = known ?? {
    position: identity.startsAfter,
    bytes: found.segments[0]?.bytesBefore ?? found.bytes,
  };
  let acknowledgedReadAt = 0;
  // Written now in any case: a disk that is full later has room for it.
  headFile.write(found.head ?? { position: found.position, bytes: found.bytes, serial: 0, offset: 0 });
  const files = new SegmentFiles(folder, segmentBytes, readdirSync(folder));

  /** The last record that is on disk. */
  let synced: Acknowledged = { position: found.position, bytes: found.bytes };
  let serial = found.nextSerial;
  let active: Active | null = null;
  /** Segments before the active one that may still be read. */
  let sealed: Segment[] = found.segments;
  let waiting: Waiting[] = [];
  let waitingBytes = 0;
  let isRunning = false;
  let isClosed = false;
  /** Segments with a lower number are given up and not used again, as somebody asked for; null when nobody did. */
  let renewBefore: number | null = null;
  /** What the disk said, and until when it is not asked again. */
  let refusal: { cause: unknown; until: number } | null = null;
  /** Of the record that was refused last because it goes beyond the bound; 0 when another was taken since. */
  let refusedBytes = 0;
  const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  const timer = setInterval(maintain, MAINTAIN_INTERVAL_MS);
  timer.unref();
  removeUnfinished(folder);
  files.prepare();

  function readAcknowledged(): void {
    acknowledgedReadAt = performance.now();
    acknowledged = acknowledgedFile.read() ?? acknowledged;
  }

  const sizeBytes = (): number => {
    if (!isClosed && performance.now() - acknowledgedReadAt > ACKNOWLEDGED_AGE_MS_MAX) readAcknowledged();
    return Math.max(0, synced.bytes - acknowledged.bytes) + waitingBytes;
  };

  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      const nextBytes = FRAME_HEAD_BYTES + (waiting[0]?.bytes ?? 0);
      if (
        !active ||
        active.isBroken ||
        !active.hasRoom(nextBytes, segmentBytes) ||
        isBehindReader() ||
        isToRenew()
      ) {
        if (!(await openNext())) refuseWaiting();
        continue;
      }
      const group = takeGroup(waiting, segmentBytes - active.offset);
      waiting = waiting.slice(group.length);
      await commitGroup(active, group);
    }
    isRunning = false;
  }

  /** Positions that the relational store has seen are not given again, even if their records were lost. */
  const isBehindReader = (): boolean => acknowledged.position > synced.position;

  const isToRenew = (): boolean =>
    active !== null && renewBefore !== null && active.segment.serial < renewBefore;

  /** Ends when every file that was there at its beginning is gone; what was written since is in new ones. */
  function renew(): void {
    if (renewBefore === null) {
      if (!isRenewalPending(folder)) return;
      renewBefore = serial;
      files.discardSpares();
    }
    if (isToRenew() && !isRunning) {
      isRunning = true;
      void openNext()
        .then((isOpen) => {
          if (isOpen && active)
            headFile.write({ ...synced, serial: active.segment.serial, offset: active.offset });
        })
        .finally(() => void run());
    }
    const before = renewBefore;
    if (isToRenew() || isRunning || sealed.some((segment) => segment.serial < before)) return;
    renewBefore = null;
    finishRenewal(folder);
  }

  async function openNext(): Promise<boolean> {
    if (refusal && performance.now() < refusal.until) return false;
    if (active) {
      await active.handle.close().catch(() => {});
      sealed.push(active.segment);
      active = null;
    }
    if (isBehindReader()) synced = { ...acknowledged, bytes: Math.max(synced.bytes, acknowledged.bytes) };
    try {
      const { segment, handle } = await files.open({
        serial,
        first: synced.position + 1,
        bytesBefore: synced.bytes,
      });
      active = new Active(segment, handle);
      serial += 1;
      refusal = null;
      return true;
    } catch (error) {
      refusal = { cause: error, until: performance.now() + REFUSED_MS };
      return false;
    }
  }

  function refuseWaiting(): void {
    const refused = waiting;
    waiting = [];
    for (const entry of refused) {
      waitingBytes -= entry.bytes + FRAME_HEAD_BYTES;
      entry.reject(cannotWrite(refusal?.cause));
    }
  }

  /** Resolves when the group has been answered. */
  async function commitGroup(target: Active, group: readonly Waiting[]): Promise<void> {
    let size = 0;
    for (const { bytes } of group) size += FRAME_HEAD_BYTES + bytes;
    const bytes = size <= BUFFER_BYTES ? buffer : Buffer.allocUnsafeSlow(size);
    let { position } = synced;
    let end = 0;
    for (const { pieces } of group) {
      position += 1;
      end = writeFrame(bytes, end, position, pieces);
    }
    const head: SpoolHead = {
      position,
      bytes: synced.bytes + size,
      serial: target.segment.serial,
      offset: target.offset + size,
    };
    try {
      await writeSynced(target.handle.fd, bytes, size, target.offset);
      // Only now may the reader see it.
      headFile.write(head);
    } catch (error) {
      // What a failed write has left on disk nobody knows: nothing more goes into this segment.
      target.isBroken = true;
      refusal = { cause: error, until: performance.now() + REFUSED_MS };
      waitingBytes -= size;
      for (const entry of group) entry.reject(cannotWrite(error));
      return;
    }
    refusal = null;
    let answer = synced.position;
    target.offset = head.offset;
    synced = head;
    waitingBytes -= size;
    for (const entry of group) {
      answer += 1;
      entry.resolve(answer);
    }
    if (target.offset > segmentBytes / 2) files.prepare();
  }

  function maintain(): void {
    if (isClosed) return;
    readAcknowledged();
    renew();
    probe();
    forgetAcknowledged();
    void inbox.collect((record) => append([record]));
  }

  /** Whoever sends events elsewhere because this disk refused would otherwise never learn that it takes them again. */
  function probe(): void {
    if (refusal === null || isRunning || performance.now() < refusal.until - REFUSED_MS + PROBE_MS) return;
    isRunning = true;
    void openNext().finally(() => void run());
  }

  function trouble(): string | null {
    if (refusal) return `the disk refuses: ${messageOf(refusal.cause)}`;
    return refusedBytes > 0 && sizeBytes() + refusedBytes > bytesMax ? 'the spool is full' : null;
  }

  function forgetAcknowledged(): void {
    for (;;) {
      const [oldest, next] = sealed;
      // The next one tells where the oldest ends.
      const behind = next ?? active?.segment;
      if (!oldest || !behind || behind.first - 1 > acknowledged.position) return;
      sealed = sealed.slice(1);
      const isUsedAgain = renewBefore === null || oldest.serial >= renewBefore;
      files.release(oldest.path, isUsedAgain).catch(() => {});
    }
  }

  function append(pieces: readonly Uint8Array[]): Promise<number> {
    let bytes = 0;
    for (const piece of pieces) bytes += piece.length;
    if (sizeBytes() + bytes + FRAME_HEAD_BYTES > bytesMax) {
      refusedBytes = bytes + FRAME_HEAD_BYTES;
      return Promise.reject(
        unavailable('The spool is full: events arrive faster than they are stored, try again later'),
      );
    }
    refusedBytes = 0;
    waitingBytes += bytes + FRAME_HEAD_BYTES;
    return new Promise<number>((resolve, reject) => {
      waiting.push({ pieces, bytes, resolve, reject });
      if (isRunning) return;
      // A turn of the event loop later, so that requests read in the same turn share the commit.
      isRunning = true;
      setImmediate(() => void run());
    });
  }

  return {
    append,
    sizeBytes,
    bytesMax,
    trouble,
    async close() {
      clearInterval(timer);
      while (isRunning) await delay(1);
      isClosed = true;
      await Promise.all([active?.handle.close(), files.close()]);
      headFile.close();
      acknowledgedFile.close();
    },
  };
}

class Active {
  readonly segment: Segment;
  readonly handle: FileHandle;
  offset = SEGMENT_HEAD_BYTES;
  /** A write failed. */
  isBroken = false;
  constructor(segment: Segment, handle: FileHandle) {
    this.segment = segment;
    this.handle = handle;
  }
  /** An empty segment takes a record of any size. */
  hasRoom(bytes: number, segmentBytes: number): boolean {
    return this.offset === SEGMENT_HEAD_BYTES || this.offset + bytes <= segmentBytes;
  }
}

type Waiting = {
  pieces: readonly Uint8Array[];
  bytes: number;
  resolve: (position: number) => void;
  reject: (error: Error) => void;
};

const cannotWrite = (error: unknown) =>
  unavailable("The spool could not be written: check the data directory's disk", error);

/** At least one record, and no more than fit. */
function takeGroup(waiting: readonly Waiting[], roomBytes: number): Waiting[] {
  const group: Waiting[] = [];
  let left = Math.min(roomBytes, GROUP_BYTES_MAX);
  for (const entry of waiting) {
    left -= entry.bytes + FRAME_HEAD_BYTES;
    if (group.length > 0 && (left < 0 || group.length >= GROUP_RECORDS_MAX)) break;
    group.push(entry);
  }
  return group;
}

function writeSynced(fd: number, buffer: Buffer, bytes: number, at: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const writeFrom = (done: number) => {
      write(fd, buffer, done, bytes - done, at + done, (error, written) => {
        if (error) reject(error);
        else if (written === 0) reject(new Error('The disk wrote no bytes'));
        else if (done + written < bytes) writeFrom(done + written);
        else if (NEEDS_SYNC) fdatasync(fd, (failed) => (failed ? reject(failed) : resolve()));
        else resolve();
      });
    };
    writeFrom(0);
  });
}
