import { expect, test } from 'vitest';
import { trimHeap } from './trim-heap.ts';

const BLOCK_BYTES = 64 * 1024;
const BLOCKS = 2_000;

test('gives back what was freed below a block that is in use', async ({ skip }) => {
  skip(!('glibcVersionRuntime' in (process.report.getReport() as { header: object }).header), 'not glibc');
  const makeBlocks = () => Array.from({ length: BLOCKS }, () => Buffer.alloc(BLOCK_BYTES, 1));
  const last = makeBlocks().at(-1);
  const fullBytes = process.memoryUsage.rss();
  await expect
    .poll(() => {
      globalThis.gc?.();
      trimHeap();
      return fullBytes - process.memoryUsage.rss();
    })
    .toBeGreaterThan((BLOCKS * BLOCK_BYTES) / 2);
  expect(last).toHaveLength(BLOCK_BYTES);
});
