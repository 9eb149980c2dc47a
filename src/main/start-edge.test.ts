import { expect, test } from 'vitest';
import { boundConnections } from './start-edge.ts';

test.each([
  [Number.POSITIVE_INFINITY, 12_000],
  [1_048_576, 12_000],
  [10_000, 8_000],
  [1_024, 512],
])('of %d open files %d are connections', (openFiles, connections) => {
  expect(boundConnections(openFiles)).toBe(connections);
});
