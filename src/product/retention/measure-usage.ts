import type { Stores } from '#product/stores.ts';
import type { DayShares, StoredKind } from '#storage/ports/stored-days.ts';

/** A day is weighed anew when it has so many more or fewer rows, as a share. */
const DRIFT_MAX = 0.05;
/** Time for weighing in one run while nothing is about to be dropped; the next run goes on. */
const WEIGHING_MS_MAX = 10_000;

type UsageStores = Pick<Stores, 'retention' | 'storedDays' | 'blobs'>;

/** Disk usage by project, kind and day, by samples; `isUrgent`: days whose rows changed are sampled anew. */
export async function measureUsage(
  { retention, storedDays, blobs }: UsageStores,
  { isUrgent }: { isUrgent: boolean },
): Promise<readonly UsageUnit[]> {
  const [days, remembered, blobUsage] = await Promise.all([
    storedDays.list(),
    retention.listShares(),
    // Elsewhere they take nothing of the budget.
    blobs.isLocal ? blobs.listUsage() : [],
  ]);
  const shares = new Map(remembered.map((each) => [`${each.kind}:${each.day}`, each]));
  const startedAt = performance.now();
  const units: UsageUnit[] = [];
  // Newest first: what was weighed before seldom changes.
  for (const { kind, day, rows, bytes } of days.toReversed()) {
    let known: DayShares | undefined = shares.get(`${kind}:${day}`);
    const drift = known ? Math.abs(rows - known.dayRows) / Math.max(1, known.dayRows) : 1;
    const hasTime = isUrgent || performance.now() - startedAt < WEIGHING_MS_MAX;
    if (hasTime && (isUrgent ? drift > 0 : drift > DRIFT_MAX)) {
      known = { kind, day, dayRows: rows, projects: await storedDays.weigh(kind, day) };
      await retention.saveShares(known);
    }
    const total = known?.projects.reduce((sum, { weight }) => sum + weight, 0) ?? 0;
    for (const { organizationId, projectId, weight } of known?.projects ?? []) {
      units.push({ organizationId, projectId, kind, day, bytes: total > 0 ? bytes * (weight / total) : 0 });
    }
  }
  if (shares.size > days.length) await retention.forgetShares(days.map(({ kind, day }) => ({ kind, day })));
  const organizations = new Map(units.map(({ projectId, organizationId }) => [projectId, organizationId]));
  for (const { day, projectId, bytes } of blobUsage) {
    units.push({ organizationId: organizations.get(projectId) ?? 0, projectId, kind: 'blobs', day, bytes });
  }
  return units;
}

/** What arrived in an hour, in any unit. */
export type HourWeight = { hour: number; weight: number };

/** Hours of a day with at least the bytes: the busiest or the earliest. `totalBytes` is the size of the day. */
export function chooseHours(
  weights: readonly HourWeight[],
  order: 'heaviest_hours' | 'oldest_hours',
  bytes: number,
  totalBytes: number,
): readonly number[] {
  const total = weights.reduce((sum, { weight }) => sum + weight, 0);
  const sorted = [...weights].sort((a, b) =>
    order === 'oldest_hours' ? a.hour - b.hour : b.weight - a.weight || b.hour - a.hour,
  );
  const hours: number[] = [];
  let chosen = 0;
  for (const { hour, weight } of sorted) {
    if (total === 0 || (chosen / total) * totalBytes >= bytes) break;
    hours.push(hour);
    chosen += weight;
  }
  return hours.sort((a, b) => a - b);
}

/** What one project stored of one kind on one day. */
export type UsageUnit = {
  organizationId: number;
  projectId: number;
  kind: StoredKind | 'blobs';
  day: string;
  bytes: number;
};
