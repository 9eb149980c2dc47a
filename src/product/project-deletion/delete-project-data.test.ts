import { expect, test } from 'vitest';
import type { Stores } from '#product/stores.ts';
import type { DeletedProject } from '#storage/ports/deleted-data.ts';
import { testInFull } from '../../../test/harness/is-full.ts';
import {
  BLOB_PAGES_MAX,
  BLOBS_PER_PAGE,
  deleteProjectData,
  PROJECTS_PER_RUN_MAX,
} from './delete-project-data.ts';

const BLOBS_PER_RUN = BLOB_PAGES_MAX * BLOBS_PER_PAGE;

/** Projects by number, each with so many blobs. */
function makeStores(blobsByProject: Readonly<Record<number, number>>) {
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
  const keysOf = (project: DeletedProject) => keys.get(project.projectId) ?? [];
  const change = (projectId: number, to: (entry: DeletedProject) => readonly DeletedProject[]) => {
    entries = entries.flatMap((entry) => (entry.projectId === projectId ? to(entry) : [entry]));
  };
  const stores: Pick<Stores, 'deletedProjectData'> & {
    projectDeletions: Partial<Stores['projectDeletions']>;
    blobs: Partial<Stores['blobs']>;
    quarantine: Partial<Stores['quarantine']>;
  } = {
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
  const run = () => deleteProjectData(stores as unknown as Stores, 0);
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
