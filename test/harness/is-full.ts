import { describe, type TestContext, test } from 'vitest';

/** Whether everything is tried, at full length: `npm run test:full`. */
export const IS_FULL = Boolean(process.env.ERRATA_TEST_FULL);

/** A test that the short run does not have, because a cheaper one proves nearly as much: docs/testing.md. */
export function testInFull(name: string, run: (context: TestContext) => unknown, timeoutMs?: number): void {
  if (IS_FULL) test(name, run, timeoutMs);
}

/** As `testInFull`, with what its tests need before. */
export function describeInFull(name: string, define: () => void): void {
  if (IS_FULL) describe(name, define);
}
