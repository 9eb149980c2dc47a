import { expect, test } from 'vitest';
import { HOUR_MS } from '#lib/time.ts';
import type { SpoolMark } from '#product/monitors/store/ingest-mark-store.ts';
import type { Stores } from '#product/stores.ts';
import type { DeletedProject, ProjectRows } from '#storage/ports/deleted-data.ts';
import { testInFull } from '../../../test/harness/is-full.ts';
import {
  BLOB_PAGES_MAX,
  BLOBS_PER_PAGE,
  deleteProjectData,
  PROJECTS_PER_RUN_MAX,
} from './delete-project-data.ts';

const BLOBS_PER_RUN = BLOB_PAGES_MAX * BLOBS_PER_PAGE;

/** Projects by number, each with so many blobs. */
function makeStores(blobsByProject: Readonly<Record<number, number>>, marks: readonly SpoolMark[] = []) {
  const keys = new Map<number, string[]>();
  let entries: DeletedProject[] = [];
  for (const [id, count] of Object.entries(blobsByProject)) {
    const projectId = Number(id);
    keys.set(
      projectId,
      Array.from({ length: count }, (_, index) => `${id}/${String(index).padStart(8, '0')}`),
    );
    entries.push({ organizationId: 1, projectId, deletedAt: 0, sweeps: 0 });
  }
  const gone = new Set<string>();
  const swept: number[] = [];
  const keysOf = (project: ProjectRows) => keys.get(project.projectId) ?? [];
  const change = (projectId: number, to: (entry: DeletedProject) => readonly DeletedProject[]) => {
    entries = entries.flatMap((entry) => (entry.projectId === projectId ? to(entry) : [entry]));
  };
  const stores: Pick<Stores, 'deletedProjectData'> & {
    projectDeletions: Partial<Stores['projectDeletions']>;
    blobs: Partial<Stores['blobs']>;
    quarantine: Partial<Stores['quarantine']>;
    ingestMarks: Partial<Stores['ingestMarks']>;
  } = {
    ingestMarks: { list: async () => marks },
    projectDeletions: {
      listDeleted: async () => entries,
      noteCounts: async () => {},
      noteSweep: async (projectId) => change(projectId, (entry) => [{ ...entry, sweeps: entry.sweeps + 1 }]),
      forget: async (projectId) => change(projectId, () => []),
      postpone: async (projectId) => {
        const own = entries.filter((entry) => entry.projectId === projectId);
        entries = [...entries.filter((entry) => entry.projectId !== projectId), ...own];
      },
    },
    deletedProjectData: {
      listBlobKeys: async (project, after, limit) =>
        keysOf(project)
          .filter((key) => key > after)
          .slice(0, limit),
      deleteBlobRows: async (project, lastKey) => {
        keys.set(
          project.projectId,
          keysOf(project).filter((key) => key > lastKey),
        );
      },
      countRows: async () => ({}),
      deleteRows: async ({ projectId }) => {
        keys.delete(projectId);
        swept.push(projectId);
      },
    },
    blobs: { delete: async (key) => void gone.add(key), listUsage: async () => [] },
    quarantine: { deleteOfProject: async () => {} },
  };
  const run = (nowMs = 0) => deleteProjectData(stores as unknown as Stores, nowMs);
  return { run, gone, swept };
}

test('a project with more blobs than one run removes is done after several', async () => {
  const { run, gone, swept } = makeStores({ 1: 2 * BLOBS_PER_RUN + 1 });
  expect([await run(), gone.size]).toEqual([0, BLOBS_PER_RUN]);
  expect([await run(), gone.size]).toEqual([0, 2 * BLOBS_PER_RUN]);
  expect([await run(), gone.size, swept]).toEqual([1, 2 * BLOBS_PER_RUN + 1, [1]]);
});

testInFull('unfinished ones do not keep later ones from their turn', async () => {
  const large = Array.from({ length: PROJECTS_PER_RUN_MAX }, (_, index) => [index + 1, 2 * BLOBS_PER_RUN]);
  const { run, swept } = makeStores({ ...Object.fromEntries(large), 99: 1 });
  await run();
  await run();
  expect(swept).toContain(99);
});

test('the last sweep waits for machines that may still store what they had when it was deleted', async () => {
  const mark = { spoolId: 'off', gaps: [], updatedAt: 0, completeUntil: -1 };
  const { run, swept } = makeStores({ 1: 1 }, [{ ...mark, spoolId: 'on', completeUntil: HOUR_MS }, mark]);
  expect(await run()).toBe(1);
  expect([await run(HOUR_MS), await run(2 * HOUR_MS)]).toEqual([0, 0]);
  mark.completeUntil = 0;
  expect([await run(2 * HOUR_MS), swept]).toEqual([1, [1, 1]]);
});
