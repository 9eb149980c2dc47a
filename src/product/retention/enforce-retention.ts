import type { Stores } from '#storage/ports/stores.ts';
import { deleteSilentIssues } from './delete-silent-issues.ts';
import { Dropper } from './dropper.ts';
import { GROUP_OF_KIND, GROUPS_WITH_BLOBS } from './retention-kinds.ts';

const DAY_MS = 86_400_000;
/** Data is dropped from here on, and down to there, so that not every minute drops a little. */
export const BUDGET_HIGH = 0.95;
const BUDGET_LOW = 0.85;
const NEWS_DAYS = 7;
const QUARANTINE_DAYS = 30;
const DROPS_DAYS = 365;

export type RetentionResult = {
  drops: number;
  rows: number;
  bytes: number;
  issues: number;
  /** After what was dropped, about. */
  usedBytes: number;
  budgetBytes: number;
  /** True when everything that may be dropped is gone and the budget is passed still. */
  isOverBudget: boolean;
};

type RetentionStores = Pick<Stores, 'retention' | 'storedDays' | 'disk' | 'blobs'>;

/**
 * Keeps stored data within its days and the data directory within its budget: whole days by age first, then, oldest
 * first, whatever the budget asks for, in the end parts of today. What hangs on the data follows: blobs, and issues that
 * have no event left. May be interrupted anywhere; the next run goes on.
 */
export async function enforceRetention(stores: RetentionStores, nowMs: number): Promise<RetentionResult> {
  const dropper = new Dropper(stores, nowMs);
  await dropper.finishInterrupted();
  await dropByAge(stores, dropper, nowMs);
  const usage = await stores.disk.measure();
  let usedBytes = usage.usedBytes;
  if (usedBytes > usage.budgetBytes * BUDGET_HIGH) {
    usedBytes = await dropForBudget(stores, dropper, usedBytes, usage.budgetBytes * BUDGET_LOW, nowMs);
  }
  const issues = await deleteSilentIssues(stores, nowMs);
  const days = await stores.retention.findDays();
  await stores.retention.deleteOld({
    statsMs: nowMs - days.stats * DAY_MS,
    newsMs: nowMs - NEWS_DAYS * DAY_MS,
    quarantineMs: nowMs - QUARANTINE_DAYS * DAY_MS,
    dropsMs: nowMs - DROPS_DAYS * DAY_MS,
  });
  return {
    ...dropper.total,
    issues,
    usedBytes,
    budgetBytes: usage.budgetBytes,
    isOverBudget: usedBytes > usage.budgetBytes,
  };
}

async function dropByAge(stores: RetentionStores, dropper: Dropper, nowMs: number): Promise<void> {
  const days = await stores.retention.findDays();
  for (const stored of await stores.storedDays.list()) {
    const oldest = dayOf(nowMs - days[GROUP_OF_KIND[stored.kind]] * DAY_MS);
    if (stored.day < oldest) await dropper.drop({ ...stored, part: null }, 'age');
  }
  // Blobs went with the rows that name them. What is left of older days belongs to nothing.
  const longest = Math.max(...GROUPS_WITH_BLOBS.map((group) => days[group]));
  const oldestBlobs = dayOf(nowMs - longest * DAY_MS);
  for (const { day } of await stores.blobs.listDays()) {
    if (day < oldestBlobs) await dropper.dropBlobDay(day, 'age');
  }
}

/** Answers about what is used afterwards. */
async function dropForBudget(
  stores: RetentionStores,
  dropper: Dropper,
  usedBytes: number,
  targetBytes: number,
  nowMs: number,
): Promise<number> {
  let used = usedBytes;
  const today = dayOf(nowMs);
  const [tables, blobs] = await Promise.all([stores.storedDays.list(), stores.blobs.listDays()]);
  const days = [...new Set([...tables, ...blobs].map(({ day }) => day))].sort();
  for (const day of days) {
    if (day >= today || used <= targetBytes) break;
    for (const stored of tables) {
      if (stored.day === day) used -= await dropper.drop({ ...stored, part: null }, 'disk_budget');
    }
    if (blobs.some((each) => each.day === day)) used -= await dropper.dropBlobDay(day, 'disk_budget');
  }
  if (used <= targetBytes) return used;
  for (const part of await stores.storedDays.listParts(today)) {
    if (used <= targetBytes) break;
    used -= await dropper.drop(part, 'disk_budget');
  }
  return used;
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
