import { BLOB_SHARE, BLOBS_HIGH, BUDGET_HIGH, BUDGET_LOW } from '#protocol/storage-budget.ts';
import { findFloods } from './find-floods.ts';
import type { UsageUnit } from './measure-usage.ts';
import type { DropReason } from './store/retention-store.ts';

/** So much of a unit is to go: all of it, the hours in which most arrived, or the oldest hours. */
export type PlannedDrop = UsageUnit & {
  dropBytes: number;
  part: 'all' | 'heaviest_hours' | 'oldest_hours';
  reason: Exclude<DropReason, 'age'>;
};

export type Pressure = {
  units: readonly UsageUnit[];
  usedBytes: number;
  budgetBytes: number;
  /** What people decided, by project. */
  projectBudgets: ReadonlyMap<number, number>;
  today: string;
};

/** What is left by rounding costs nobody a day. */
const NEED_BYTES_MIN = 1;

/**
 * Which data goes, so that a sender pays for what it sends and nobody else: projects that are over their own budget, then
 * floods, from the heaviest sender's newest one on, then what projects have above the level to which all can be filled,
 * from the heaviest project and its oldest days on. Of each, blobs go before rows.
 */
export function planDrops(pressure: Pressure): readonly PlannedDrop[] {
  return new Planner(pressure).plan();
}

type Unit = UsageUnit & { plannedBytes: number };

class Planner {
  readonly #pressure: Pressure;
  readonly #left: Unit[];
  #drops = new Map<Unit, PlannedDrop>();

  constructor(pressure: Pressure) {
    this.#pressure = pressure;
    this.#left = pressure.units.map((unit) => ({ ...unit, plannedBytes: 0 }));
  }

  plan(): readonly PlannedDrop[] {
    this.#planAll();
    return [...this.#drops.values()];
  }

  #planAll(): void {
    const { usedBytes, budgetBytes, projectBudgets } = this.#pressure;
    for (const [projectId, bytes] of projectBudgets) {
      const used = sumOf(this.#left, (unit) => unit.projectId === projectId);
      if (used > bytes * BUDGET_HIGH)
        this.#trimProject(projectId, used - bytes * BUDGET_LOW, 'project_budget');
    }

    const blobsMax = budgetBytes * BLOB_SHARE;
    const blobBytes = sumOf(this.#left, isBlob);
    if (blobBytes > blobsMax * BUDGET_HIGH) {
      const need = blobBytes - blobsMax * BUDGET_LOW;
      const rest = need - this.#dropFloods(need, isBlob, 'blob_budget');
      this.#dropAboveLevel(rest, isBlob, isBlob, 'blob_budget');
    }

    const used = usedBytes - this.#planned();
    if (used <= budgetBytes * BLOBS_HIGH) return;
    let need = used - budgetBytes * BUDGET_LOW;
    need -= this.#dropFloods(need, isBlob, 'disk_budget');
    need -= this.#dropFloods(need, (unit) => !isBlob(unit), 'disk_budget');
    need -= this.#dropAboveLevel(need, () => true, isBlob, 'disk_budget');
    if (used > budgetBytes * BUDGET_HIGH)
      this.#dropAboveLevel(
        need,
        () => true,
        () => true,
        'disk_budget',
      );
  }

  /** Answers what was planned to go. */
  #dropFloods(need: number, takes: (unit: UsageUnit) => boolean, reason: PlannedDrop['reason']): number {
    let dropped = 0;
    for (const { excessBytes, units } of findFloods(this.#left, this.#pressure.budgetBytes)) {
      const taken = units.filter(({ unit }) => takes(unit));
      let going = Math.min(excessBytes, need - dropped);
      const drop = ({ unit, isOnlyDay }: (typeof taken)[number], bytes: number) => {
        // Without a usual day nothing tells the flood from the rest: then what came first goes.
        const part = isOnlyDay ? 'oldest_hours' : 'heaviest_hours';
        const planned = this.#drop(unit, Math.min(bytes, going), part, reason);
        going -= planned;
        dropped += planned;
      };
      const ownBytes = units.reduce((sum, unit) => sum + unit.excessBytes, 0);
      for (const unit of taken) drop(unit, unit.excessBytes);
      // What the day has above the usual in all, though no kind of it has.
      going = Math.min(going, excessBytes - ownBytes);
      for (const unit of taken) drop(unit, going);
    }
    return dropped;
  }

  /** Answers what was planned to go. `counts` decides who is heavy, `takes` what of them may go. */
  #dropAboveLevel(
    need: number,
    counts: (unit: UsageUnit) => boolean,
    takes: (unit: UsageUnit) => boolean,
    reason: PlannedDrop['reason'],
  ): number {
    if (need < NEED_BYTES_MIN) return 0;
    const totals = new Map<number, number>();
    for (const unit of this.#left) {
      if (!counts(unit)) continue;
      totals.set(unit.projectId, (totals.get(unit.projectId) ?? 0) + unit.bytes - unit.plannedBytes);
    }
    const level = waterLevel([...totals.values()], need);
    let dropped = 0;
    for (const [projectId, bytes] of [...totals].sort((a, b) => b[1] - a[1])) {
      if (bytes > level) dropped += this.#trimProject(projectId, bytes - level, reason, takes);
    }
    return dropped;
  }

  /** Blobs first, then rows, each from the oldest day on. Answers what was planned to go. */
  #trimProject(
    projectId: number,
    need: number,
    reason: PlannedDrop['reason'],
    takes: (unit: UsageUnit) => boolean = () => true,
  ): number {
    const own = this.#left
      .filter((unit) => unit.projectId === projectId && takes(unit))
      .sort((a, b) => Number(isBlob(b)) - Number(isBlob(a)) || a.day.localeCompare(b.day));
    let dropped = 0;
    let lastDay = '';
    for (const unit of own) {
      // Rows of a day go together, whatever their kind, so that what is left of it is whole.
      const isOfLastDay = !isBlob(unit) && unit.day === lastDay && unit.day < this.#pressure.today;
      if (dropped >= need && !isOfLastDay) continue;
      const isToday = unit.day >= this.#pressure.today;
      const bytes = isToday ? Math.min(need - dropped, unit.bytes) : unit.bytes;
      dropped += this.#drop(unit, bytes, 'oldest_hours', reason);
      lastDay = isBlob(unit) ? '' : unit.day;
    }
    return dropped;
  }

  #drop(unit: Unit, bytes: number, part: PlannedDrop['part'], reason: PlannedDrop['reason']): number {
    const going = Math.min(bytes, unit.bytes - unit.plannedBytes);
    if (going <= 0) return 0;
    unit.plannedBytes += going;
    const { plannedBytes, ...usage } = unit;
    this.#drops.set(unit, {
      ...usage,
      dropBytes: plannedBytes,
      part: plannedBytes >= unit.bytes ? 'all' : part,
      reason: this.#drops.get(unit)?.reason ?? reason,
    });
    return going;
  }

  #planned(): number {
    return this.#left.reduce((sum, { plannedBytes }) => sum + plannedBytes, 0);
  }
}

/** The level at which, when nothing stands above it, `need` less is left in all. */
function waterLevel(values: readonly number[], need: number): number {
  const sorted = [...values].sort((a, b) => b - a);
  let above = 0;
  for (const [index, value] of sorted.entries()) {
    above += value;
    const level = (above - need) / (index + 1);
    if (level >= (sorted[index + 1] ?? 0)) return Math.max(0, level);
  }
  return 0;
}

const isBlob = ({ kind }: UsageUnit): boolean => kind === 'blobs';

const sumOf = (units: readonly Unit[], takes: (unit: UsageUnit) => boolean): number =>
  units.reduce((sum, unit) => (takes(unit) ? sum + unit.bytes - unit.plannedBytes : sum), 0);
