import { conflict } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireOneOf } from '#product/permissions.ts';
import { BUDGET_HIGH } from '#protocol/storage-budget.ts';
import type { DiskMeter, DiskUsage } from '#storage/ports/stored-days.ts';
import { ARTIFACT_READ_RIGHTS } from './upload-projects.ts';

/** Uploads are kept until nobody uses them, so they may not crowd out the events that the budget is for. */
const BUDGET_SHARE_MAX = 0.5;
/** Measuring walks through the data directory. */
const MEASURED_FOR_MS = 30_000;

/** The headroom of a disk meter. */
type Headroom = {
  measuredAt: number;
  usage: Promise<DiskUsage>;
  /** Since the measurement began. */
  addedBytes: number;
  /** What uploads that are under way may still take. */
  reservedBytes: number;
};

const headrooms = new WeakMap<DiskMeter, Headroom>();

/** Runs the work with its bytes reserved in the disk budget. Throws Conflict when out of space. */
export async function withUploadHeadroom<Result extends { bytes: number }>(
  ctx: Pick<Context, 'stores' | 'now'>,
  bytesMax: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const headroom = headroomOf(ctx.stores.disk, ctx.now());
  const usage = await headroom.usage;
  // Checked and taken in one step: others wait for the same measurement.
  requireFree(headroom, usage, bytesMax);
  headroom.reservedBytes += bytesMax;
  let taken = 0;
  try {
    const result = await work();
    taken = result.bytes;
    return result;
  } finally {
    headroom.reservedBytes -= bytesMax;
    headroom.addedBytes += taken;
  }
}

/** Throws Conflict when so many bytes have no room now. */
export async function requireUploadHeadroom(
  ctx: Pick<Context, 'stores' | 'now'>,
  bytes: number,
): Promise<void> {
  const headroom = headroomOf(ctx.stores.disk, ctx.now());
  requireFree(headroom, await headroom.usage, bytes);
}

function requireFree(headroom: Headroom, { budgetBytes, usedBytes, parts }: DiskUsage, bytes: number): void {
  const added = headroom.addedBytes + headroom.reservedBytes + bytes;
  if (usedBytes + added > budgetBytes * BUDGET_HIGH) {
    throw conflict(
      'The disk budget of this instance is exhausted: delete uploads you no longer need, or raise ERRATA_DISK_BYTES_MAX',
    );
  }
  if (parts.artifacts + added > budgetBytes * BUDGET_SHARE_MAX) {
    throw conflict(
      "Uploads have used up their half of this instance's disk budget: delete uploads you no longer need, or raise ERRATA_DISK_BYTES_MAX",
    );
  }
}

/** Measured anew when the last measurement is old; what is reserved stays so. */
function headroomOf(disk: DiskMeter, nowMs: number): Headroom {
  const known = headrooms.get(disk);
  if (known && nowMs - known.measuredAt < MEASURED_FOR_MS && nowMs >= known.measuredAt) return known;
  const measured = { measuredAt: nowMs, usage: disk.measure(), addedBytes: 0 };
  const headroom: Headroom = Object.assign(known ?? { reservedBytes: 0 }, measured);
  headrooms.set(disk, headroom);
  // A measurement that failed is made again by whoever asks next.
  headroom.usage.catch(() => {
    headroom.measuredAt = Number.NEGATIVE_INFINITY;
  });
  return headroom;
}

/** Bytes of all uploads of the organization, parts that wait for the rest included. */
export async function sumUploads(ctx: Context): Promise<number> {
  requireOneOf(ctx, ARTIFACT_READ_RIGHTS);
  return await ctx.stores.artifacts.sumBytes(ctx.organization.id);
}
