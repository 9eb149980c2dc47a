import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listVerbs } from '../harness/list-verbs.ts';
import { CHANGING_VERBS } from './roles-matrix/changing-verbs.ts';
import { PARTS } from './roles-matrix/parts.ts';
import { READING_VERBS } from './roles-matrix/reading-verbs.ts';
import { REFERENCE_VERBS } from './roles-matrix/reference-verbs.ts';
import { ASKERS, type MatrixScene, openMatrixScene } from './roles-matrix/scene.ts';

const VERBS = { ...READING_VERBS, ...CHANGING_VERBS, ...REFERENCE_VERBS };

test('every verb of the product has a row, and every row a verb', () => {
  const names = listVerbs().map(({ name }) => name);
  expect(names.filter((name) => !(name in VERBS) && !PARTS.includes(name))).toEqual([]);
  expect([...Object.keys(VERBS), ...PARTS].filter((name) => !names.includes(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

test('what an admin or more is needed for, and changes something, leaves an entry', () => {
  const silent = Object.entries(CHANGING_VERBS).filter(
    ([name, { needs, leaves }]) =>
      leaves === null && !['viewer', 'member'].includes(needs) && name !== 'deleteOrganization',
  );
  expect(silent).toEqual([]);
});

describe('role × verb', () => {
  let scene: MatrixScene;
  beforeAll(async () => {
    scene = await openMatrixScene();
  });
  afterAll(async () => {
    await scene?.product.close();
  });

  describe.each(Object.entries(VERBS))('%s', (_, { needs, leaves, call }) => {
    test.each(ASKERS)('%s', async (asker) => {
      const ctx = scene.askers[asker];
      const before = await newestEntryId();
      const answer = await call(ctx, scene).then(
        () => 'done',
        (error: { code?: string; message: string }) => error.code ?? error.message,
      );
      const isEnough = ASKERS.indexOf(asker) >= ASKERS.indexOf(needs);
      expect(answer).toBe(isEnough ? 'done' : 'forbidden');
      const left = (await entriesAfter(before)).filter(({ action }) => action === leaves);
      if (leaves !== null && isEnough) expect(left).not.toEqual([]);
      else expect(left).toEqual([]);
    });
  });

  const list = () => scene.product.stores.audit.list(scene.mine.id, {}, 50);
  const newestEntryId = async () => (await list())[0]?.id ?? 0;
  const entriesAfter = async (id: number) => (await list()).filter((entry) => entry.id > id);
});
