import path from 'node:path';
import { defineConfig } from 'vitest/config';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
/** What a test waits for comes, however busy the machine is. */
const patiently = { poll: { timeout: 15 * SECOND_MS } };

/** What takes minutes, or has a shorter sibling in a cheaper tier, is kept in folders of this name: docs/testing.md. */
const FULL_RUN_ONLY = '**/full/**';
const exclude = process.env.ERRATA_TEST_FULL ? [] : [FULL_RUN_ONLY];

const ACTION_REQUEST = path.resolve(import.meta.dirname, 'test/harness/action-request.ts');

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
          expect: patiently,
          include: ['src/**/*.test.ts', 'test/*.test.ts', 'test/harness/*.test.ts'],
          testTimeout: 20 * SECOND_MS,
          // No file leaves anything behind for the next: fake clocks and stubs are taken back.
          isolate: false,
          maxWorkers: '100%',
        },
      },
      {
        plugins: [seededFastCheck],
        resolve: { alias: [{ find: /^next\/(?:headers|cache)$/, replacement: ACTION_REQUEST }] },
        test: {
          name: 'contract',
          expect: patiently,
          include: ['test/contract/**/*.test.ts', 'test/product/**/*.test.ts'],
          exclude,
          setupFiles: ['test/harness/cheap-password-hashes.ts'],
          globalSetup: ['test/contract/global-setup.ts'],
          testTimeout: MINUTE_MS,
          hookTimeout: 2 * MINUTE_MS,
          // What a file provides to the product, the next one provides anew.
          isolate: false,
          // Each file has databases of its own, and waits for the engines a third of its time.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'journeys',
          expect: patiently,
          include: ['test/journeys/**/*.test.ts'],
          exclude,
          globalSetup: ['test/harness/shared-server.ts'],
          testTimeout: 2 * MINUTE_MS,
          hookTimeout: 3 * MINUTE_MS,
          // They share one server and one browser, which are what takes the time.
          fileParallelism: false,
          // Nor do they leave anything behind in the process.
          isolate: false,
        },
      },
      {
        test: {
          name: 'crashes',
          expect: patiently,
          include: ['test/crashes/**/*.test.ts'],
          exclude,
          testTimeout: 10 * MINUTE_MS,
          hookTimeout: 3 * MINUTE_MS,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'faults',
          expect: patiently,
          include: ['test/faults/**/*.test.ts'],
          exclude,
          testTimeout: 10 * MINUTE_MS,
          hookTimeout: 3 * MINUTE_MS,
          fileParallelism: false,
        },
      },
    ],
  },
});
