import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { IS_FULL, testInFull } from '../harness/is-full.ts';
import { listVerbs } from '../harness/list-verbs.ts';
import { CHANGING_VERBS } from './roles-matrix/changing-verbs.ts';
import { BOUND_ROLES, type ClosedScene, openClosedScene, toText } from './roles-matrix/closed-scene.ts';
import { PARTS } from './roles-matrix/parts.ts';
import { READING_VERBS } from './roles-matrix/reading-verbs.ts';
import { REFERENCE_VERBS } from './roles-matrix/reference-verbs.ts';
import type { VerbRow } from './roles-matrix/rows.ts';
import {
  ASKERS,
  type Asker,
  askersAround,
  type Joined,
  type MatrixScene,
  openMatrixScene,
} from './roles-matrix/scene.ts';
import { VERB_SCOPES, type VerbScope } from './roles-matrix/verb-scopes.ts';

const VERBS = { ...READING_VERBS, ...CHANGING_VERBS, ...REFERENCE_VERBS };
const BOUND_VERBS = Object.entries(VERBS).flatMap(([name, row]) => {
  const needs = BOUND_ROLES.find((role) => role === row.needs);
  return needs ? [{ name, needs, row }] : [];
});

test('every verb of the product has a row, and every row a verb', () => {
  const names = listVerbs().map(({ name }) => name);
  expect(
    names.filter((name) => !(name in VERBS) && !PARTS.includes(name)),
    'Say in test/product/roles-matrix what each of these needs: reading-verbs.ts, changing-verbs.ts or parts.ts',
  ).toEqual([]);
  expect([...Object.keys(VERBS), ...PARTS].filter((name) => !names.includes(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

test('what those may do who see the projects of their teams only has a scope, and only that', () => {
  const scoped: readonly string[] = Object.values(VERB_SCOPES).flat();
  const names = BOUND_VERBS.map(({ name }) => name);
  expect(
    names.filter((name) => !scoped.includes(name)),
    'Say in test/product/roles-matrix/verb-scopes.ts which part of an organization each of these concerns',
  ).toEqual([]);
  expect(scoped.filter((name, index) => !names.includes(name) || scoped.indexOf(name) !== index)).toEqual([]);
});

/** Their entries are in the log of another organization, or went with it. */
const LEAVE_ELSEWHERE = ['createOrganization', 'deleteOrganization'];

test('what an admin or more is needed for, and changes something, leaves an entry', () => {
  const silent = Object.entries(CHANGING_VERBS).filter(
    ([name, { needs, leaves }]) =>
      leaves === null && !['viewer', 'member'].includes(needs) && !LEAVE_ELSEWHERE.includes(name),
  );
  expect(silent).toEqual([]);
});

describe('role × verb', () => {
  let scene: MatrixScene;
  /** Of the audit log, before the next row. */
  let newestEntryId = 0;
  beforeAll(async () => {
    scene = await openMatrixScene();
    await takeEntries();
  });
  afterAll(async () => {
    await scene?.product.close();
  });

  describe.each(Object.entries(VERBS))('%s', (_, { needs, leaves, call }) => {
    test.each(askersAround<Asker>(needs, ASKERS))('%s', async (asker) => {
      const ctx = scene.askers[asker];
      const { outcome } = await outcomeOf(call, ctx, scene);
      const isEnough = ASKERS.indexOf(asker) >= ASKERS.indexOf(needs);
      expect(outcome).toBe(isEnough ? 'done' : 'forbidden');
      const left = (await takeEntries()).filter(({ action }) => action === leaves);
      if (leaves !== null && isEnough) expect(left).not.toEqual([]);
      else expect(left).toEqual([]);
    });
  });

  /** What was written since it was asked for last. */
  async function takeEntries() {
    const entries = await scene.product.stores.audit.list(scene.mine.id, {}, 50);
    const fresh = entries.filter(({ id }) => id > newestEntryId);
    newestEntryId = entries[0]?.id ?? newestEntryId;
    return fresh;
  }
});

describe('closed membership × role × verb', () => {
  let scene: ClosedScene;
  beforeAll(async () => {
    scene = await openClosedScene();
  });
  afterAll(async () => {
    await scene?.product.close();
  });

  describe.each(BOUND_VERBS)('$name', ({ name, needs, row: { call } }) => {
    const scope = scopeOf(name);
    const allowed = BOUND_ROLES.slice(BOUND_ROLES.indexOf(needs));
    const isCompared = scope === 'list' && !(name in CHANGING_VERBS);

    // Whoever may not anywhere was tried above.
    test.each(IS_FULL ? BOUND_ROLES : [needs])('a %s of another team', async (role) => {
      const { outcome, answer } = await outcomeOf(call, scene.outside[role], scene);
      if (!allowed.includes(role)) return expect(['forbidden', 'not_found']).toContain(outcome);
      if (scope === 'project') return expect(outcome).toBe('not_found');
      expect(outcome).toBe('done');
      if (scope !== 'handed') expect(scene.findHidden(answer)).toBeNull();
      if (!isCompared || role !== needs) return;
      const within = await outcomeOf(call, scene.inside[needs], scene);
      expect(within.outcome).toBe('done');
      expect(toText(within), 'The team is answered more').not.toBe(toText({ outcome, answer }));
    });

    // That the team may is seen where the answers are compared, and with each tool of MCP: here with every verb.
    testInFull(`a ${needs} of the team, and a manager of none`, async () => {
      for (const ctx of [scene.inside[needs], scene.askers.manager])
        expect((await outcomeOf(call, ctx, scene)).outcome).toBe('done');
    });
  });
});

const scopeOf = (name: string): VerbScope =>
  (Object.keys(VERB_SCOPES) as VerbScope[]).find((scope) =>
    (VERB_SCOPES[scope] as readonly string[]).includes(name),
  )!;

async function outcomeOf<Scene extends MatrixScene>(
  call: VerbRow['call'],
  ctx: Joined,
  scene: Scene,
): Promise<{ outcome: string; answer: unknown }> {
  try {
    return { outcome: 'done', answer: await call(ctx, scene) };
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return { outcome: code ?? message, answer: null };
  }
}
