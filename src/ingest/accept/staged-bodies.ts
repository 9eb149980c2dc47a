import { randomBytes } from 'node:crypto';
import { blobKey } from '#protocol/blob-key.ts';
import type { PayloadSink } from '#protocol/envelope.ts';
import type { ActiveLimit } from '#protocol/rate-limits.ts';
import type { BlobStore, BlobWriter } from '#storage/ports/blobs.ts';
import { type BlobRoom, occupiedBytes } from '../blob-room.ts';
import type { MemoryLease } from '../memory-budget.ts';
import { REQUEST_BOUNDS } from '../request-bounds.ts';

/** A body as it arrives: in memory while it is small, then in the blob store. */
export interface StagedBody extends PayloadSink {
  readonly bytes: number;
  /** Set when the disk had no room for it: what was written is gone, and more is not kept. */
  readonly refusedBy: ActiveLimit | null;
}

/** What became of a body: its bytes, or where they lie. */
export type StoredBody = { payload: Uint8Array; blob: { key: string; bytes: number } | null };

/**
 * The bodies of one request that may be large. Nothing of them stays in the blob store unless the request is accepted:
 * whoever opens this calls `discardAll` when it is not.
 */
export class StagedBodies {
  readonly #blobs: Pick<BlobStore, 'create' | 'delete'>;
  readonly #lease: MemoryLease;
  readonly #receivedAtMs: number;
  readonly #room: Room | undefined;
  #bodies = new Set<Body>();
  #inlineBytes = 0;
  #isDiscarded = false;

  constructor(
    blobs: Pick<BlobStore, 'create' | 'delete'>,
    lease: MemoryLease,
    receivedAtMs: number,
    room?: Room,
  ) {
    this.#blobs = blobs;
    this.#lease = lease;
    this.#receivedAtMs = receivedAtMs;
    this.#room = room;
  }

  /**
   * `occupied` tells what a body of so many stored bytes takes of the disk in the end. `write` throws MemoryExceeded, and
   * ErrataError 'unavailable' when the disk refuses.
   */
  open(projectId: number, occupied: (fileBytes: number) => number = occupiedBytes): StagedBody {
    const body = new Body({
      occupied,
      hold: (bytes) => this.#hold(bytes),
      create: () => {
        this.#lease.charge(REQUEST_BOUNDS.blobBufferBytes);
        return this.#blobs.create(blobKey(this.#receivedAtMs, projectId, randomBytes(16).toString('hex')));
      },
      release: () => this.#lease.charge(-REQUEST_BOUNDS.blobBufferBytes),
      findLimit: () => this.#room?.findLimit(projectId, Date.now()) ?? null,
      add: (bytes) => this.#room?.add(projectId, bytes, Date.now()),
    });
    this.#bodies.add(body);
    return body;
  }

  /** Durable when it resolves, as far as it lies in the blob store. */
  store(staged: StagedBody): Promise<StoredBody> {
    return this.#find(staged).store();
  }

  async discard(staged: StagedBody): Promise<void> {
    const body = this.#find(staged);
    this.#bodies.delete(body);
    await body.discard(this.#blobs);
  }

  async discardAll(): Promise<void> {
    this.#isDiscarded = true;
    const bodies = [...this.#bodies];
    this.#bodies.clear();
    await Promise.all(bodies.map((body) => body.discard(this.#blobs)));
  }

  #find(staged: StagedBody): Body {
    if (staged instanceof Body && this.#bodies.has(staged)) return staged;
    throw new Error('This body was not opened here');
  }

  /** Whether these further bytes may be held in memory; a negative number gives back. */
  #hold(bytes: number): boolean {
    if (this.#isDiscarded) throw new Error('The request is over');
    if (bytes > 0 && this.#inlineBytes + bytes > REQUEST_BOUNDS.inlineBytesOfRequestMax) return false;
    this.#lease.charge(bytes);
    this.#inlineBytes += bytes;
    return true;
  }
}

type Room = Pick<BlobRoom, 'findLimit' | 'add'>;

/** What a body asks of its request: memory, a place in the blob store, and whether the disk has room. */
type BodyHost = {
  hold(bytes: number): boolean;
  create(): BlobWriter;
  release(): void;
  findLimit(): ActiveLimit | null;
  occupied(fileBytes: number): number;
  add(bytes: number): void;
};

class Body implements StagedBody {
  readonly #host: BodyHost;
  bytes = 0;
  #refusedBy: ActiveLimit | null = null;
  #parts: Uint8Array[] = [];
  #writer: BlobWriter | null = null;
  #countedBytes = 0;
  #isStored = false;
  #isDiscarded = false;

  constructor(host: BodyHost) {
    this.#host = host;
  }

  get refusedBy(): ActiveLimit | null {
    // Nothing was written, so nobody has asked: an empty body takes a file too.
    if (this.bytes === 0) this.#refusedBy = this.#host.findLimit();
    return this.#refusedBy;
  }

  write(part: Uint8Array): void {
    if (this.#isDiscarded) throw new Error('The body was discarded');
    if (this.refusedBy) {
      this.bytes += part.length;
      return;
    }
    if (!this.#writer) {
      if (this.bytes + part.length <= REQUEST_BOUNDS.inlineBytesMax && this.#host.hold(part.length)) {
        this.#parts.push(part);
        this.bytes += part.length;
        return;
      }
      this.#writer = this.#host.create();
      for (const held of this.#parts) this.#writer.write(held);
      this.#parts = [];
      this.#host.hold(-this.bytes);
    }
    this.#writer.write(part);
    this.bytes += part.length;
    const occupied = this.#host.occupied(this.#writer.storedBytes);
    if (occupied === this.#countedBytes) return;
    // While it is written, so that many bodies at once do not pass the budget together.
    this.#count(occupied);
    this.#refusedBy = this.#host.findLimit();
  }

  async store(): Promise<StoredBody> {
    const writer = this.#writer;
    if (!writer) {
      const [first] = this.#parts;
      const payload = this.#parts.length === 1 && first ? first : Buffer.concat(this.#parts);
      // Digest writes it into the blob store.
      this.#count(this.#host.occupied(Math.max(1, payload.length)));
      return { payload, blob: null };
    }
    const { bytes } = await writer.finish();
    this.#isStored = true;
    this.#host.release();
    return { payload: new Uint8Array(0), blob: { key: writer.key, bytes } };
  }

  /** Never throws: what cannot be removed goes with its day. */
  async discard(blobs: Pick<BlobStore, 'delete'>): Promise<void> {
    if (this.#isDiscarded) return;
    this.#isDiscarded = true;
    this.#parts = [];
    this.#count(0);
    const writer = this.#writer;
    if (!writer) return;
    if (!this.#isStored) this.#host.release();
    await (this.#isStored ? blobs.delete(writer.key) : writer.abort()).catch(() => {});
  }

  #count(occupied: number): void {
    this.#host.add(occupied - this.#countedBytes);
    this.#countedBytes = occupied;
  }
}
