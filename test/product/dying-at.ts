import type { FaultPoints } from '#lib/fault-points.ts';

/** Dies at the `times`th visit of a point. */
export function dyingAt(point: string, times = 1): FaultPoints {
  let left = times;
  return {
    reach(name: string) {
      if (name === point && --left === 0) throw new Error(`died at ${point}`);
    },
    hit() {},
  };
}
