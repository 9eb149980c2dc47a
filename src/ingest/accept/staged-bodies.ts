import { randomBytes } from 'node:crypto';
import { blobKey } from '#protocol/blob-key.ts';
import type { PayloadSink } from '#protocol/envelope.ts';
import type { BlobStore, BlobWriter } from '#storage/ports/blobs.ts';
import { LIMITS } from '../limits.ts';
import type { MemoryLease } from '../memory-budget.ts';

/** A body as it arrives: in memory while it is small, then in the blob store. */
export interface StagedBody extends PayloadSink {
  readonly bytes: number;
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
  #bodies = new Set<Body>();
  #inlineBytes = 0;
  #isDiscarded = false;

  constructor(blobs: Pick<BlobStore, 'create' | 'delete'>, lease: MemoryLease, receivedAtMs: number) {
    this.#blobs = blobs;
    this.#lease = lease;
    this.#receivedAtMs = receivedAtMs;
  }

  /** What its `write` throws: MemoryExceeded, and ErrataError 'unavailable' when the disk refuses. */
  open(projectId: number): StagedBody {
    const body = new Body(
      (bytes) => this.#hold(bytes),
      () => this.#blobs.create(blobKey(this.#receivedAtMs, projectId, randomBytes(16).toString('hex'))),
    );
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
    if (bytes > 0 && this.#inlineBytes + bytes > LIMITS.inlineBytesOfRequestMax) return false;
    this.#lease.charge(bytes);
    this.#inlineBytes += bytes;
    return true;
  }
}

class Body implements StagedBody {
  readonly #hold: (bytes: number) => boolean;
  readonly #create: () => BlobWriter;
  bytes = 0;
  #parts: Uint8Array[] = [];
  #writer: BlobWriter | null = null;
  #isStored = false;
  #isDiscarded = false;

  constructor(hold: (bytes: number) => boolean, create: () => BlobWriter) {
    this.#hold = hold;
    this.#create = create;
  }

  write(part: Uint8Array): void {
    if (this.#isDiscarded) throw new Error('The body was discarded');
    if (!this.#writer) {
      if (this.bytes + part.length <= LIMITS.inlineBytesMax && this.#hold(part.length)) {
        this.#parts.push(part);
        this.bytes += part.length;
        return;
      }
      this.#writer = this.#create();
      for (const held of this.#parts) this.#writer.write(held);
      this.#parts = [];
      this.#hold(-this.bytes);
    }
    this.#writer.write(part);
    this.bytes += part.length;
  }

  async store(): Promise<StoredBody> {
    const writer = this.#writer;
    if (!writer) {
      const [first] = this.#parts;
      const payload = this.#parts.length === 1 && first ? first : Buffer.concat(this.#parts);
      return { payload, blob: null };
    }
    const { bytes } = await writer.finish();
    this.#isStored = true;
    return { payload: new Uint8Array(0), blob: { key: writer.key, bytes } };
  }

  /** Never throws: what cannot be removed goes with its day. */
  async discard(blobs: Pick<BlobStore, 'delete'>): Promise<void> {
    if (this.#isDiscarded) return;
    this.#isDiscarded = true;
    this.#parts = [];
    const writer = this.#writer;
    if (!writer) return;
    await (this.#isStored ? blobs.delete(writer.key) : writer.abort()).catch(() => {});
  }
}
