import type { Stores } from '#product/stores.ts';
import type { Droppable, StoredDay } from '#storage/ports/stored-days.ts';
import { chooseHours, type HourWeight } from './measure-usage.ts';
import type { PlannedDrop } from './plan-budget-drops.ts';
import { KINDS_DROPPED_WITH_BLOBS } from './storage-settings.ts';
import type { DropReason, RetentionDrop } from './store/retention-store.ts';

const BLOB_KEYS_PER_PAGE = 1_000;
const BLOBS_AT_ONCE = 16;
/** No request takes longer, and no batch from the blobs it writes to their rows, so long as digest goes on. */
const UNNAMED_AFTER_MS = 15 * 60_000;
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** What was accepted and waits for digest: since when the oldest of it was received. */
export type Backlog = { kind: 'none' | 'unknown' } | { kind: 'waiting'; sinceMs: number };
export type FindBacklog = () => Promise<Backlog>;

type Unit = Droppable & { bytes: number; reason: DropReason };
type DropStores = Pick<Stores, 'retention' | 'storedDays' | 'blobs'>;

/** Drops data so that a crash at any moment forgets nothing: noted first, then gone, then noted as gone. */
export class Dropper {
  readonly total = { drops: 0, rows: 0, bytes: 0 };
  readonly #stores: DropStores;
  readonly #nowMs: number;
  readonly #findBacklog: FindBacklog;

  constructor(stores: DropStores, nowMs: number, findBacklog: FindBacklog) {
    this.#stores = stores;
    this.#nowMs = nowMs;
    this.#findBacklog = findBacklog;
  }

  /** A whole day of all projects. */
  async dropDay({ kind, day, bytes }: StoredDay, reason: DropReason): Promise<void> {
    await this.#drop([{ kind, day, part: null, projectId: null, hours: [], bytes, reason }]);
  }

  /** Everything that is left of a day in the blob store. */
  async dropBlobDay(day: string, reason: DropReason): Promise<void> {
    const { retention, blobs } = this.#stores;
    const id = await this.#beginBlobDrop({ day, projectId: null, reason, bytes: 0 });
    const freed = await blobs.deleteDay(day);
    await retention.finishDrop(id, this.#nowMs);
    this.#count(0, freed.bytes);
  }

  /** What was planned of one kind and day, over projects: their rows go by one rewrite of the day. */
  async dropPlanned(planned: readonly PlannedDrop[]): Promise<void> {
    const [first] = planned;
    if (first?.kind === 'blobs') {
      for (const each of planned) await this.#dropPlannedBlobs(each);
      return;
    }
    const units: Unit[] = [];
    for (const { kind, day, projectId, bytes, dropBytes, part, reason } of planned) {
      if (kind === 'blobs') continue;
      const unit = { kind, day, part: null, projectId, reason };
      if (part === 'all') units.push({ ...unit, hours: [], bytes });
      else {
        const weights = await this.#stores.storedDays.weighHours(kind, day, projectId);
        const hours = chooseHours(weights, part, dropBytes, bytes);
        if (hours.length > 0) units.push({ ...unit, hours, bytes: dropBytes });
      }
    }
    await this.#drop(units);
  }

  /** What an earlier run began: its rows are counted already. What fails is left to the next run and thrown in the end. */
  async finishInterrupted(): Promise<void> {
    const { retention, storedDays, blobs } = this.#stores;
    let failure: unknown = null;
    for (const drop of await retention.listUnfinished()) {
      const { id, kind, day, rows, bytes } = drop;
      try {
        if (kind !== 'blobs') {
          const unit = { ...drop, kind };
          await this.#deleteBlobs(unit);
          await storedDays.drop([unit]);
        } else if (drop.projectId === null) await blobs.deleteDay(day);
        await retention.finishDrop(id, this.#nowMs);
        this.#count(rows, bytes);
      } catch (error) {
        failure ??= error;
      }
    }
    if (failure) throw failure;
  }

  /** What nothing names goes first, since nobody misses it. The rows that name blobs go with them. */
  async #dropPlannedBlobs({ day, projectId, dropBytes, part, reason }: PlannedDrop): Promise<void> {
    const need = dropBytes - (await this.#dropUnnamedBlobs(day, projectId, reason));
    if (need <= 0) return;
    const weights = part === 'all' ? [] : await this.#weighBlobHours(day, projectId);
    const named = weights.reduce((sum, { weight }) => sum + weight, 0);
    const hours = part === 'all' ? [] : chooseHours(weights, part, need, named);
    if (part !== 'all' && hours.length === 0) return;
    for (const kind of KINDS_DROPPED_WITH_BLOBS) {
      await this.#drop([{ kind, day, part: null, projectId, hours, bytes: 0, reason }]);
    }
  }

  /** Deletes unreferenced blobs, except those that records in the spool or in quarantine may name. */
  async #dropUnnamedBlobs(day: string, projectId: number, reason: DropReason): Promise<number> {
    const { blobs, retention, storedDays } = this.#stores;
    const lookedAtMs = Date.now();
    const backlog = await this.#findBacklog();
    if (backlog.kind === 'unknown' || (await retention.hasQuarantined(day, projectId))) return 0;
    const oldestMs = backlog.kind === 'waiting' ? backlog.sinceMs : Number.POSITIVE_INFINITY;
    const beforeMs = Math.min(lookedAtMs, oldestMs) - UNNAMED_AFTER_MS;
    const findNamed = (keys: readonly string[]) => storedDays.findNamedBlobs(day, projectId, keys);
    const freed = await blobs.deleteUnnamed(day, projectId, findNamed, beforeMs);
    if (freed.blobs === 0) return 0;
    // Nothing counts them, so a crash before this line forgets nothing but the line.
    const id = await this.#beginBlobDrop({ day, projectId, reason, bytes: freed.bytes });
    await retention.finishDrop(id, this.#nowMs);
    this.#count(0, freed.bytes);
    return freed.bytes;
  }

  #beginBlobDrop(drop: Pick<RetentionDrop, 'day' | 'projectId' | 'reason' | 'bytes'>): Promise<number> {
    const { retention } = this.#stores;
    const whole = { part: null, hours: [], kind: 'blobs', rows: 0, startedAt: this.#nowMs } as const;
    return retention.beginDrop({ ...drop, ...whole }, [], this.#nowMs);
  }

  async #weighBlobHours(day: string, projectId: number): Promise<readonly HourWeight[]> {
    const hours: HourWeight[] = [];
    for (const hour of HOURS) {
      let weight = 0;
      for (const kind of KINDS_DROPPED_WITH_BLOBS) {
        weight += await this.#sumBlobs({ kind, day, part: null, projectId, hours: [hour] });
      }
      if (weight > 0) hours.push({ hour, weight });
    }
    return hours;
  }

  /** Units of one kind and day. */
  async #drop(units: readonly Unit[]): Promise<void> {
    const { retention, storedDays } = this.#stores;
    const begun: number[] = [];
    for (const { reason, bytes, ...unit } of units) {
      const counts = await storedDays.countByProject(unit);
      const rows = counts.reduce((sum, count) => sum + count.rows, 0);
      if (rows === 0) continue;
      const freed = bytes + (await this.#sumBlobs(unit));
      begun.push(
        await retention.beginDrop(
          { ...unit, reason, rows, bytes: Math.round(freed), startedAt: this.#nowMs },
          counts,
          this.#nowMs,
        ),
      );
      await this.#deleteBlobs(unit);
      this.#count(rows, freed);
    }
    if (begun.length === 0) return;
    await storedDays.drop(units);
    for (const id of begun) await retention.finishDrop(id, this.#nowMs);
  }

  async #sumBlobs(unit: Droppable): Promise<number> {
    let bytes = 0;
    await this.#eachBlob(unit, async (key) => {
      const stored = await this.#stores.blobs.storedBytes(key);
      bytes += stored ?? 0;
    });
    return bytes;
  }

  #deleteBlobs(unit: Droppable): Promise<void> {
    return this.#eachBlob(unit, (key) => this.#stores.blobs.delete(key));
  }

  async #eachBlob(unit: Droppable, use: (key: string) => Promise<void>): Promise<void> {
    let after = '';
    for (;;) {
      const keys = await this.#stores.storedDays.listBlobKeys(unit, after, BLOB_KEYS_PER_PAGE);
      for (let start = 0; start < keys.length; start += BLOBS_AT_ONCE) {
        await Promise.all(keys.slice(start, start + BLOBS_AT_ONCE).map(use));
      }
      const last = keys.at(-1);
      if (last === undefined || keys.length < BLOB_KEYS_PER_PAGE) return;
      after = last;
    }
  }

  #count(rows: number, bytes: number): void {
    this.total.drops += 1;
    this.total.rows += rows;
    this.total.bytes += bytes;
  }
}
