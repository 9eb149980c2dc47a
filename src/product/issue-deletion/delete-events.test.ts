import { expect, test } from 'vitest';
import type { Stores } from '#product/stores.ts';
import type { EventDeletion } from '#storage/ports/deleted-data.ts';
import { testInFull } from '../../../test/harness/is-full.ts';
import { BLOB_PAGES_MAX, BLOBS_PER_PAGE, DELETIONS_PER_RUN_MAX, deleteEvents } from './delete-events.ts';

const BLOBS_PER_RUN = BLOB_PAGES_MAX * BLOBS_PER_PAGE;

/** Deletions by `requestedAt`, each with so many attachments. */
function makeStores(blobs: readonly number[]) {
  let waiting: EventDeletion[] = blobs.map((_, index) => ({
    id: index,
    organizationId: 1,
    projectId: 1,
    hashes: [],
    requestedAt: index,
  }));
  const first = blobs.map(() => 0);
  const done: number[] = [];
  const gone = new Set<string>();
  let nextId = blobs.length;
  const numberOf = (key: string) => Number(key.split('/')[1]);
  const stores = {
    issueDeletions: {
      listWaiting: async (limit: number) => waiting.slice(0, limit),
      listIssuesOf: async () => [],
      postpone: async (id: number) => {
        const own = waiting.filter((deletion) => deletion.id === id);
        const others = waiting.filter((deletion) => deletion.id !== id);
        waiting = [...others, ...own.map((deletion) => ({ ...deletion, id: nextId++ }))];
      },
      finish: async (id: number) => {
        waiting = waiting.filter((deletion) => deletion.id !== id);
      },
    },
    deletedEvents: {
      listBlobKeys: async ({ requestedAt }: EventDeletion, after: string, limit: number) => {
        const from = after === '' ? (first[requestedAt] ?? 0) : numberOf(after) + 1;
        const to = Math.min(from + limit, blobs[requestedAt] ?? 0);
        return Array.from({ length: Math.max(0, to - from) }, (_, index) => `${requestedAt}/${from + index}`);
      },
      deleteBlobRows: async ({ requestedAt }: EventDeletion, lastKey: string) => {
        first[requestedAt] = numberOf(lastKey) + 1;
      },
      deleteEvents: async ({ requestedAt }: EventDeletion) => void done.push(requestedAt),
    },
    blobs: { delete: async (key: string) => void gone.add(key) },
    storedDays: {},
  };
  return { run: () => deleteEvents(stores as unknown as Stores, () => 0), done, gone };
}

test('a deletion with more attachments than one run removes is done after several', async () => {
  const { run, done, gone } = makeStores([BLOBS_PER_RUN + 1]);
  expect([await run(), gone.size]).toEqual([0, BLOBS_PER_RUN]);
  expect([await run(), gone.size, done]).toEqual([1, BLOBS_PER_RUN + 1, [0]]);
});

testInFull('unfinished ones do not keep later ones from their turn', async () => {
  const large = Array.from({ length: DELETIONS_PER_RUN_MAX }, () => 2 * BLOBS_PER_RUN);
  const { run, done } = makeStores([...large, 1]);
  await run();
  await run();
  expect(done).toContain(DELETIONS_PER_RUN_MAX);
});
