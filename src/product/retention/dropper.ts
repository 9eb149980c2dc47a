import type { Droppable, DropReason, StoredDay } from '#storage/ports/retention.ts';
import type { Stores } from '#storage/ports/stores.ts';

const BLOB_KEYS_PER_PAGE = 1_000;
const BLOB_DELETES_MAX = 16;

/** Drops days and parts so that a crash at any moment forgets nothing: noted first, then gone, then noted as gone. */
export class Dropper {
  readonly total = { drops: 0, rows: 0, bytes: 0 };
  readonly #stores: Pick<Stores, 'retention' | 'storedDays' | 'blobs'>;
  readonly #nowMs: number;

  constructor(stores: Pick<Stores, 'retention' | 'storedDays' | 'blobs'>, nowMs: number) {
    this.#stores = stores;
    this.#nowMs = nowMs;
  }

  /** Answers the bytes that it freed. */
  async drop(unit: StoredDay & { part: string | null }, reason: DropReason): Promise<number> {
    const { retention, storedDays } = this.#stores;
    const counts = await storedDays.countByProject(unit);
    const id = await retention.beginDrop({ ...unit, reason, startedAt: this.#nowMs }, counts, this.#nowMs);
    const bytes = unit.bytes + (await this.#deleteBlobs(unit));
    await storedDays.drop(unit);
    await retention.finishDrop(id, this.#nowMs);
    this.#count(unit.rows, bytes);
    return bytes;
  }

  /** Everything that is left of a day in the blob store. */
  async dropBlobDay(day: string, reason: DropReason): Promise<number> {
    const { retention, blobs } = this.#stores;
    const id = await retention.beginDrop(
      { kind: 'blobs', day, part: null, reason, rows: 0, bytes: 0, startedAt: this.#nowMs },
      [],
      this.#nowMs,
    );
    const freed = await blobs.deleteDay(day);
    await retention.finishDrop(id, this.#nowMs);
    this.#count(0, freed.bytes);
    return freed.bytes;
  }

  /** What an earlier run began: its rows are counted already. */
  async finishInterrupted(): Promise<void> {
    const { retention, storedDays, blobs } = this.#stores;
    for (const { id, kind, day, part, rows, bytes } of await retention.listUnfinished()) {
      if (kind === 'blobs') await blobs.deleteDay(day);
      else {
        await this.#deleteBlobs({ kind, day, part });
        await storedDays.drop({ kind, day, part });
      }
      await retention.finishDrop(id, this.#nowMs);
      this.#count(rows, bytes);
    }
  }

  async #deleteBlobs(unit: Droppable): Promise<number> {
    const { storedDays, blobs } = this.#stores;
    let freed = 0;
    let after = '';
    for (;;) {
      const keys = await storedDays.listBlobKeys(unit, after, BLOB_KEYS_PER_PAGE);
      for (let start = 0; start < keys.length; start += BLOB_DELETES_MAX) {
        const sizes = await Promise.all(
          keys.slice(start, start + BLOB_DELETES_MAX).map(async (key) => {
            const bytes = (await blobs.size(key)) ?? 0;
            await blobs.delete(key);
            return bytes;
          }),
        );
        freed += sizes.reduce((sum, bytes) => sum + bytes, 0);
      }
      const last = keys.at(-1);
      if (last === undefined || keys.length < BLOB_KEYS_PER_PAGE) return freed;
      after = last;
    }
  }

  #count(rows: number, bytes: number): void {
    this.total.drops += 1;
    this.total.rows += rows;
    this.total.bytes += bytes;
  }
}
