import { expect, test, vi } from 'vitest';
import type { Context } from '#product/context.ts';
import type { DiskUsage } from '#storage/ports/stored-days.ts';
import { requireUploadHeadroom, withUploadHeadroom } from './upload-headroom.ts';

const BUDGET = 1_000;

/** Room for 500 bytes: the half of uploads. */
function openRoom() {
  const clock = { nowMs: 0 };
  const parts = { clickhouse: 0, postgres: 0, spool: 0, blobs: 0, artifacts: 0, other: 0 };
  const usage: DiskUsage = { usedBytes: 0, budgetBytes: BUDGET, volumeBytes: 1e9, freeBytes: 1e9, parts };
  const measure = vi.fn(async () => usage);
  const ctx = { stores: { disk: { measure } }, now: () => clock.nowMs } as unknown as Context;
  const begin = (bytesMax: number) => {
    const taken = Promise.withResolvers<{ bytes: number }>();
    const done = withUploadHeadroom(ctx, bytesMax, () => taken.promise);
    done.catch(() => {});
    return { done, end: (bytes: number) => taken.resolve({ bytes }) };
  };
  return { clock, usage, measure, ctx, begin };
}

const full = expect.objectContaining({ code: 'conflict' });

test('those who ask at once for more than there is do not all get it', async () => {
  const { begin, measure } = openRoom();
  const asked = Array.from({ length: 4 }, () => begin(200));
  for (const { end } of asked) end(200);
  const settled = await Promise.allSettled(asked.map(({ done }) => done));
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
  expect(measure).toHaveBeenCalledTimes(1);
});

test('what is under way is still reserved after the disk was measured anew', async () => {
  const { ctx, begin, clock, measure } = openRoom();
  const first = begin(400);
  await requireUploadHeadroom(ctx, 100);
  clock.nowMs += 31_000;
  await expect(begin(200).done).rejects.toEqual(full);
  expect(measure).toHaveBeenCalledTimes(2);
  first.end(10);
  await first.done;
  await requireUploadHeadroom(ctx, 490);
  await expect(requireUploadHeadroom(ctx, 491)).rejects.toEqual(full);
});

test('what failed took nothing, and a measurement that failed is made again', async () => {
  const { ctx, measure } = openRoom();
  measure.mockRejectedValueOnce(new Error('The disk is away'));
  await expect(requireUploadHeadroom(ctx, 1)).rejects.toThrow('The disk is away');
  const broken = withUploadHeadroom(ctx, 500, async () => Promise.reject(new Error('The client is gone')));
  await expect(broken).rejects.toThrow('The client is gone');
  await requireUploadHeadroom(ctx, 500);
});

test('no upload reaches the mark from which events are dropped', async () => {
  const { ctx, usage } = openRoom();
  usage.usedBytes = 940;
  await requireUploadHeadroom(ctx, 10);
  await expect(requireUploadHeadroom(ctx, 11)).rejects.toEqual(full);
});
