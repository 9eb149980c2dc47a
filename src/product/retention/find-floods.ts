import type { UsageUnit } from './measure-usage.ts';

/** A day of a project is a flood when it has so many times the usual, and that is so much of the budget. */
const FLOOD_FACTOR = 4;
const FLOOD_BUDGET_SHARE = 0.02;

type Unit = UsageUnit & { plannedBytes: number };

/** What one kind has above the usual on a day that is a flood. */
export type FloodUnit<Counted extends Unit> = {
  unit: Counted;
  excessBytes: number;
  /** Nothing tells the flood from the usual, since there is no other day of the kind. */
  isOnlyDay: boolean;
};

/** One project's day, blobs first, then the kinds with most above the usual. */
export type Flood<Counted extends Unit> = {
  projectId: number;
  day: string;
  excessBytes: number;
  units: readonly FloodUnit<Counted>[];
};

/**
 * Days on which a project has much more than usual, the heaviest sender's newest one first. A day is judged as a whole, so
 * that spreading a flood over many kinds hides nothing: by what its kinds have above their own usual day, and by what all
 * of it has above the project's, since a kind that was seen once has no usual day.
 */
export function findFloods<Counted extends Unit>(
  units: readonly Counted[],
  budgetBytes: number,
): readonly Flood<Counted>[] {
  const floods = [...Map.groupBy(units, ({ projectId }) => projectId)].flatMap(([projectId, own]) =>
    floodsOf(projectId, own, budgetBytes * FLOOD_BUDGET_SHARE),
  );
  const byProject = new Map<number, number>();
  for (const { projectId, excessBytes } of floods)
    byProject.set(projectId, (byProject.get(projectId) ?? 0) + excessBytes);
  return floods.sort(
    (a, b) =>
      (byProject.get(b.projectId) ?? 0) - (byProject.get(a.projectId) ?? 0) || b.day.localeCompare(a.day),
  );
}

function floodsOf<Counted extends Unit>(
  projectId: number,
  own: readonly Counted[],
  excessBytesMin: number,
): Flood<Counted>[] {
  const kinds = Map.groupBy(own, ({ kind }) => kind);
  const days = [...Map.groupBy(own, ({ day }) => day)];
  const totals = days.map(([, ofDay]) => ofDay.reduce((sum, { bytes }) => sum + bytes, 0));
  return days.flatMap(([day, ofDay], index) => {
    const units = ofDay.map((unit) => {
      const others = (kinds.get(unit.kind) ?? []).filter((other) => other !== unit);
      const usual = median(others.map(({ bytes }) => bytes));
      const excessBytes = Math.max(0, leftOf(unit) - FLOOD_FACTOR * usual);
      return { unit, excessBytes, isOnlyDay: others.length === 0 };
    });
    const usual = median(totals.filter((_, other) => other !== index));
    const left = ofDay.reduce((sum, unit) => sum + leftOf(unit), 0);
    const excessBytes = Math.max(
      units.reduce((sum, unit) => sum + unit.excessBytes, 0),
      left - FLOOD_FACTOR * usual,
    );
    if (excessBytes < excessBytesMin) return [];
    units.sort(
      (a, b) =>
        Number(b.unit.kind === 'blobs') - Number(a.unit.kind === 'blobs') || b.excessBytes - a.excessBytes,
    );
    return [{ projectId, day, excessBytes, units }];
  });
}

const leftOf = ({ bytes, plannedBytes }: Unit): number => bytes - plannedBytes;

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
