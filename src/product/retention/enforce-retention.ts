import { DAY_MS } from '#lib/time.ts';
import type { Stores } from '#product/stores.ts';
import type { ProjectUsage } from '#protocol/storage-budget.ts';
import { deleteSilentIssues } from './delete-silent-issues.ts';
import { Dropper, type FindBacklog } from './drop-stored-days.ts';
import { measureUsage, type UsageUnit } from './measure-usage.ts';
import { type Pressure, planDrops } from './plan-budget-drops.ts';
import { GROUP_OF_KIND, GROUPS_WITH_BLOBS } from './storage-settings.ts';

const OUTBOX_DAYS = 7;
const QUARANTINE_DAYS = 30;
const DROPS_DAYS = 365;

export type RetentionResult = {
  drops: number;
  rows: number;
  bytes: number;
  issues: number;
  /** After what was dropped. */
  usedBytes: number;
  budgetBytes: number;
  /** True when everything that may be dropped is gone and the budget is passed still. */
  isOverBudget: boolean;
};

type RetentionStores = Pick<Stores, 'retention' | 'storedDays' | 'disk' | 'blobs'>;

/** Of the budget: from here on usage is measured to the row, since something may have to go. */
const URGENT = 0.85;

/** Drops data past its retention, then for the disk budget, with blobs and issues left empty. Safe to interrupt. */
export async function enforceRetention(
  stores: RetentionStores,
  nowMs: number,
  findBacklog: FindBacklog = async () => ({ kind: 'unknown' }),
): Promise<RetentionResult> {
  const dropper = new Dropper(stores, nowMs, findBacklog);
  const failures: unknown[] = [];
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    await work().catch((error: unknown) => void failures.push(error));
  };
  await attempt(() => dropper.finishInterrupted());
  await dropByAge(stores, dropper, nowMs);
  const { usedBytes, budgetBytes } = await enforceBudget(stores, dropper, attempt, nowMs);
  const issues = await deleteSilentIssues(stores, nowMs);
  const days = await stores.retention.findDays();
  await stores.retention.deleteOld({
    statsMs: nowMs - days.stats * DAY_MS,
    outboxMs: nowMs - OUTBOX_DAYS * DAY_MS,
    quarantineMs: nowMs - QUARANTINE_DAYS * DAY_MS,
    dropsMs: nowMs - DROPS_DAYS * DAY_MS,
  });
  // One drop that fails, for lack of space for example, keeps none of the others from returning some.
  if (failures.length > 0) throw failures[0];
  return { ...dropper.total, issues, usedBytes, budgetBytes, isOverBudget: usedBytes > budgetBytes };
}

/** Answers what is used afterwards, and leaves it for whoever accepts blobs. */
async function enforceBudget(
  stores: RetentionStores,
  dropper: Dropper,
  attempt: (work: () => Promise<void>) => Promise<void>,
  nowMs: number,
): Promise<{ usedBytes: number; budgetBytes: number }> {
  const projectBudgets = await stores.retention.findBudgets();
  let measured = await measureAll(stores, projectBudgets);
  const planned = planDrops({ ...measured, projectBudgets, today: dayOf(nowMs) });
  for (const group of Map.groupBy(planned, ({ kind, day }) => `${kind}:${day}`).values()) {
    await attempt(() => dropper.dropPlanned(group));
  }
  // Whole hours and days go, so more than was planned.
  if (planned.length > 0) measured = await measureAll(stores, projectBudgets);
  const { measuredAt, usedBytes, budgetBytes, units } = measured;
  const projects = sumByProject(units, projectBudgets);
  await stores.retention.saveState({ measuredAt, usedBytes, budgetBytes, projects });
  return { usedBytes, budgetBytes };
}

type Measured = Pick<Pressure, 'units' | 'usedBytes' | 'budgetBytes'> & { measuredAt: number };

async function measureAll(
  stores: RetentionStores,
  projectBudgets: ReadonlyMap<number, number>,
): Promise<Measured> {
  const measuredAt = Date.now();
  const [usage, clearingBytes] = await Promise.all([
    stores.disk.measure(),
    stores.storedDays.clearingBytes(),
  ]);
  const { budgetBytes } = usage;
  // The disk of a store of its own is not ours to keep: dropping its rows would free nothing here.
  const hasRows = usage.parts.clickhouse > 0;
  const usedBytes = Math.max(0, usage.usedBytes - (hasRows ? clearingBytes : 0));
  const isUrgent = usedBytes > budgetBytes * URGENT || projectBudgets.size > 0;
  const units = await measureUsage(stores, { isUrgent });
  return {
    measuredAt,
    usedBytes,
    budgetBytes,
    units: units.filter(({ kind }) => hasRows || kind === 'blobs'),
  };
}

function sumByProject(
  units: readonly UsageUnit[],
  budgets: ReadonlyMap<number, number>,
): readonly ProjectUsage[] {
  const ids = new Set([...units.map(({ projectId }) => projectId), ...budgets.keys()]);
  const sums = new Map([...ids].map((projectId) => [projectId, { bytes: 0, blobBytes: 0 }]));
  for (const { projectId, bytes, kind } of units) {
    const sum = sums.get(projectId);
    if (!sum) continue;
    sum.bytes += bytes;
    if (kind === 'blobs') sum.blobBytes += bytes;
  }
  return [...sums].map(([projectId, { bytes, blobBytes }]) => ({
    projectId,
    bytes: Math.round(bytes),
    blobBytes: Math.round(blobBytes),
    budgetBytes: budgets.get(projectId) ?? null,
  }));
}

async function dropByAge(stores: RetentionStores, dropper: Dropper, nowMs: number): Promise<void> {
  const days = await stores.retention.findDays();
  for (const stored of await stores.storedDays.list()) {
    const oldest = dayOf(nowMs - days[GROUP_OF_KIND[stored.kind]] * DAY_MS);
    if (stored.day < oldest) await dropper.dropDay(stored, 'age');
  }
  // Blobs went with the rows that name them. What is left of older days belongs to nothing.
  const longest = Math.max(...GROUPS_WITH_BLOBS.map((group) => days[group]));
  const oldestBlobs = dayOf(nowMs - longest * DAY_MS);
  for (const day of await stores.blobs.listDayNames()) {
    if (day < oldestBlobs) await dropper.dropBlobDay(day, 'age');
  }
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
