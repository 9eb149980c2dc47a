import path from 'node:path';
import { defineConfig } from 'vitest/config';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
/** Real browsers and processes on a machine that stalls; what needed it is told by name at the end of the run. */
const SECOND_TRY = 1;

/** They take minutes and have a shorter sibling elsewhere: only the full run has time for them. */
const LONG_FAULTS = ['test/faults/alert-storm.test.ts'];

const SEEDED = path.resolve(import.meta.dirname, 'test/harness/seeded-fast-check.ts');
const seededFastCheck = {
  name: 'seeded-fast-check',
  enforce: 'pre' as const,
  resolveId: (id: string, importer: string | undefined) =>
    id === 'fast-check' && importer !== SEEDED ? SEEDED : null,
};

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [seededFastCheck],
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/*.test.ts', 'test/harness/*.test.ts'],
          testTimeout: 20 * SECOND_MS,
        },
      },
      {
        plugins: [seededFastCheck],
        test: {
          name: 'contract',
          include: ['test/contract/**/*.test.ts', 'test/product/**/*.test.ts'],
          globalSetup: ['test/contract/global-setup.ts'],
          testTimeout: MINUTE_MS,
          hookTimeout: 2 * MINUTE_MS,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'journeys',
          include: ['test/journeys/**/*.test.ts'],
          globalSetup: ['test/harness/shared-server.ts'],
          retry: SECOND_TRY,
          testTimeout: 2 * MINUTE_MS,
          hookTimeout: 3 * MINUTE_MS,
          // Journeys share one server and measure time: side by side they would disturb each other.
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'crashes',
          include: ['test/crashes/**/*.test.ts'],
          retry: SECOND_TRY,
          testTimeout: 10 * MINUTE_MS,
          hookTimeout: 3 * MINUTE_MS,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          exclude: process.env.ERRATA_TEST_FULL ? [] : LONG_FAULTS,
          retry: SECOND_TRY,
          testTimeout: 10 * MINUTE_MS,
          hookTimeout: 3 * MINUTE_MS,
          fileParallelism: false,
        },
      },
    ],
  },
});
