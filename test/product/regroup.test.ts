import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { IS_FULL, testInFull } from '../harness/is-full.ts';
import { openGroupingScene } from './grouping-scene.ts';
import { openProduct, type Product } from './open-product.ts';

let product: Product;
beforeAll(async () => {
  product = await openProduct();
});
afterAll(async () => {
  await product?.close();
});

const open = () => openGroupingScene(product);

describe('a merge', () => {
  test('moves hashes, counts, comments and marks, leads old short ids to the target, and is taken back exactly', async () => {
    const scene = await open();
    const { organization, admin } = scene;
    await scene.send([
      { type: 'A', at: 1 },
      { type: 'A', at: 5 },
      { type: 'B', at: -3 },
      { type: 'C', at: 9 },
    ]);
    const [a, b] = [await scene.idOf('A'), await scene.idOf('B')];
    await sql`INSERT INTO issue_bookmarks (issue_id, user_id) VALUES (${b}, ${admin.userId})`.execute(
      product.db,
    );
    await sql`INSERT INTO activities (issue_id, type, user_id, data, at)
      VALUES (${b}, 'note', ${admin.userId}, '{"text":"hello"}', now())`.execute(product.db);
    const before = await scene.snapshot();

    const change = await product.stores.regroups.merge(
      organization.id,
      { targetId: a, issueIds: [b] },
      admin.userId,
      Date.now(),
    );
    expect(await scene.listIssues()).toMatchObject([
      { id: a, timesSeen: 3, stored: 3 },
      { title: 'C: broken', timesSeen: 1, stored: 1 },
    ]);
    const { rows } = await sql`SELECT type FROM activities WHERE issue_id = ${a} ORDER BY id`.execute(
      product.db,
    );
    expect(rows).toEqual([{ type: 'first_seen' }, { type: 'note' }, { type: 'merge' }]);
    expect(await product.stores.regroups.findRedirect(organization.id, { issueId: b })).toBe(a);

    // What comes after goes by the map.
    await scene.send([{ type: 'B', at: 20 }]);
    expect(await scene.listIssues()).toMatchObject([{ id: a, timesSeen: 4 }, { timesSeen: 1 }]);
    await product.stores.regroups.undo(organization.id, change.id, admin.userId, Date.now());
    const after = await scene.snapshot();
    expect(await scene.listIssues()).toMatchObject([
      { id: a, timesSeen: 2, stored: 2 },
      { id: b, timesSeen: 2, stored: 2 },
      { timesSeen: 1 },
    ]);
    expect(after.activities).toEqual(before.activities);
    expect(after.marks).toEqual(before.marks);
    expect(await product.stores.regroups.findRedirect(organization.id, { issueId: b })).toBeNull();
    await expect(
      product.stores.regroups.undo(organization.id, change.id, admin.userId, Date.now()),
    ).rejects.toMatchObject({ code: 'conflict' });
  });

  testInFull('an unmerge restores the issue that a merge brought the hashes from', async () => {
    const scene = await open();
    const { organization, admin } = scene;
    const { regroups } = product.stores;
    await scene.send([{ type: 'A' }, { type: 'B', at: 2 }]);
    const [a, b] = [await scene.idOf('A'), await scene.idOf('B')];
    const before = await scene.snapshot();
    await regroups.merge(organization.id, { targetId: a, issueIds: [b] }, admin.userId, Date.now());
    const hashes = await regroups.listHashes(organization.id, a, 10);
    const brought = hashes.filter(({ mergedFrom }) => mergedFrom !== null).map(({ hash }) => hash);
    const merged = await scene.snapshot();
    const { issueId, change } = await regroups.unmerge(
      organization.id,
      { issueId: a, hashes: brought },
      admin.userId,
      Date.now(),
    );
    expect(issueId).toBe(b);
    expect((await scene.snapshot()).hashes).toEqual(before.hashes);
    await regroups.undo(organization.id, change.id, admin.userId, Date.now());
    expect((await scene.snapshot()).hashes).toEqual(merged.hashes);
  });

  test('an unmerge of hashes that were always the issue’s makes a new one in the same state', async () => {
    const scene = await open();
    const { organization, admin } = scene;
    const { regroups } = product.stores;
    const [first] = await scene.send([{ type: 'A' }, { type: 'A', at: 3 }]);
    const a = await scene.idOf('A');
    await sql`INSERT INTO grouping_hashes (project_id, hash, issue_id)
      VALUES (${scene.project.id}, ${'f'.repeat(32)}, ${a})`.execute(product.db);
    const before = await scene.snapshot();
    const input = { issueId: a, hashes: [first!.groupingHash] };
    const { issueId, change } = await regroups.unmerge(organization.id, input, admin.userId, Date.now());
    expect(issueId).not.toBe(a);
    expect(await scene.listIssues()).toMatchObject([
      { id: a, timesSeen: 0 },
      { id: issueId, timesSeen: 2, stored: 2 },
    ]);
    await expect(
      regroups.unmerge(organization.id, { issueId, hashes: [first!.groupingHash] }, null, Date.now()),
    ).rejects.toMatchObject({ code: 'invalid' });
    await regroups.undo(organization.id, change.id, admin.userId, Date.now());
    expect((await scene.snapshot()).issues).toEqual(before.issues);
    expect(await regroups.findRedirect(organization.id, { issueId })).toBe(a);
  });

  test('issues of other projects and organizations cannot be merged', async () => {
    const [scene, other] = [await open(), await open()];
    await scene.send([{ type: 'A' }]);
    await other.send([{ type: 'A' }]);
    const input = { targetId: await scene.idOf('A'), issueIds: [await other.idOf('A')] };
    await expect(
      product.stores.regroups.merge(scene.organization.id, input, null, Date.now()),
    ).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a regroup', () => {
  testInFull(
    'merges by the map alone: no row is written again, and undo restores the former state exactly',
    async () => {
      const scene = await open();
      const { organization, admin } = scene;
      await scene.send([
        { type: 'A', at: 1 },
        { type: 'A', at: 4 },
        { type: 'B', at: 2, user: 'ana' },
        { type: 'C', at: 9 },
      ]);
      const before = await scene.snapshot();
      const change = await scene.begin('error.type:A -> ab\nerror.type:B -> ab');
      expect(await scene.work()).toBe(true);
      expect(await scene.listIssues()).toMatchObject([
        { timesSeen: 3, stored: 3 },
        { timesSeen: 1, stored: 1 },
      ]);
      expect(await scene.eventsByHash()).toEqual(before.events);
      expect(await product.stores.regroups.findChange(organization.id, change.id)).toMatchObject({
        state: 'done',
        eventsSeen: expect.any(Number),
        eventsMoved: 3,
        issuesBefore: 3,
        issuesAfter: 2,
      });

      await product.stores.regroups.undo(organization.id, change.id, admin.userId, Date.now());
      expect(await scene.work()).toBe(true);
      expect(await scene.snapshot()).toEqual(before);
      // All is as it was: the same issues can be merged by hand, and that taken back.
      const input = { targetId: await scene.idOf('A'), issueIds: [await scene.idOf('B')] };
      const merge = await product.stores.regroups.merge(organization.id, input, admin.userId, Date.now());
      await product.stores.regroups.undo(organization.id, merge.id, admin.userId, Date.now());
      expect(await scene.snapshot()).toEqual(before);
    },
  );

  test('splits row by row, keeps the issue for most events, and undo restores the former state exactly', async () => {
    const scene = await open();
    const { organization, admin } = scene;
    await scene.send([
      { type: 'A', value: 'payment failed', at: 1 },
      { type: 'B', value: 'timeout', at: 2 },
    ]);
    const merged = await scene.begin('error.type:* -> all');
    await scene.work();
    await scene.send([
      { type: 'C', value: 'disk is full', at: 30 },
      { type: 'C', value: 'disk is full', at: 31 },
      { type: 'D', value: 'other', at: -40, hasBody: false },
    ]);
    const before = await scene.snapshot();
    expect(before.issues).toHaveLength(1);

    const change = await scene.begin('error.type:C -> disk title="Disk"');
    expect(await scene.work()).toBe(true);
    const issues = await scene.listIssues();
    expect(issues.reduce((sum, { timesSeen }) => sum + timesSeen, 0)).toBe(5);
    for (const issue of issues) expect(issue.timesSeen).toBe(issue.stored);
    // The one without a body goes where the others of its hash go.
    expect(issues.find(({ title }) => title === 'Disk')).toMatchObject({ timesSeen: 3 });
    expect(issues).toHaveLength(3);

    await product.stores.regroups.undo(organization.id, change.id, admin.userId, Date.now());
    expect(await scene.work()).toBe(true);
    expect(await scene.snapshot()).toEqual(before);
    expect(await product.stores.regroups.findChange(organization.id, merged.id)).toMatchObject({
      state: 'done',
    });
  });

  testInFull(
    'an issue that others were split from has its own title again, however new those were',
    async () => {
      const scene = await open();
      const { organization, admin } = scene;
      await scene.begin('error.type:Pay -> pay\nerror.type:Cart -> cart');
      await scene.work();
      await scene.send([
        { type: 'Pay', value: 'one', at: 1 },
        { type: 'Pay', value: 'one', at: 2 },
        { type: 'Pay', value: 'two', at: 3 },
        { type: 'Cart', value: 'one', at: 4 },
        { type: 'Cart', value: 'one', at: 5 },
        { type: 'Cart', value: 'two', at: 6 },
      ]);
      const before = await scene.snapshot();
      const rules = 'error.value:two -> two\nerror.type:Pay -> pay\nerror.type:Cart -> cart';
      const change = await scene.begin(rules);
      await scene.work();
      expect((await scene.listIssues()).map(({ timesSeen }) => timesSeen).sort()).toEqual([2, 2, 2]);
      await product.stores.regroups.undo(organization.id, change.id, admin.userId, Date.now());
      expect(await scene.work()).toBe(true);
      expect(await scene.snapshot()).toEqual(before);
    },
  );

  testInFull('what came after is grouped by the former rules once the change is taken back', async () => {
    const scene = await open();
    const { organization, admin } = scene;
    await scene.send([{ type: 'A' }, { type: 'B' }]);
    const change = await scene.begin('error.type:* -> all');
    await scene.work();
    await scene.send([
      { type: 'B', at: 50 },
      { type: 'New', at: 51 },
    ]);
    expect(await scene.listIssues()).toMatchObject([{ timesSeen: 4, stored: 4 }]);
    await product.stores.regroups.undo(organization.id, change.id, admin.userId, Date.now());
    await scene.work();
    expect(await scene.listIssues()).toMatchObject([
      { timesSeen: 1, stored: 1 },
      { timesSeen: 2, stored: 2 },
      { timesSeen: 1, stored: 1 },
    ]);
    await scene.send([{ type: 'A', at: 60 }]);
    expect(await scene.listIssues()).toMatchObject([{ timesSeen: 2, stored: 2 }, {}, {}]);
  });

  testInFull('events that arrive by the former rules while it runs are regrouped as well', async () => {
    const scene = await open();
    await scene.send([{ type: 'A' }, { type: 'B' }]);
    await scene.begin('error.type:* -> all');
    const { applyRound } = product.stores.regroups;
    const regroups = {
      ...product.stores.regroups,
      async applyRound(...input: Parameters<typeof applyRound>) {
        // Grouped by the former rules, and stored after the days were read.
        if (input[1].round === 0) await scene.send([{ type: 'Late', at: 10 }]);
        return await applyRound(...input);
      },
    };
    expect(await scene.work({ regroups })).toBe(true);
    expect(await scene.listIssues()).toMatchObject([{ timesSeen: 3, stored: 3 }]);
  });

  test('is cancelled while nothing has changed, and not afterwards', async () => {
    const scene = await open();
    await scene.send([{ type: 'A' }, { type: 'B' }]);
    const before = await scene.snapshot();
    const { regroups } = product.stores;
    const change = await scene.begin('error.type:* -> all');
    await expect(scene.begin('error.type:* -> more')).rejects.toMatchObject({ code: 'conflict' });
    await regroups.cancel(scene.organization.id, change.id, Date.now());
    expect(await scene.work()).toBe(false);
    expect(await scene.snapshot()).toEqual(before);
    expect(
      (await product.stores.groupingRules.findActive(scene.organization.id, scene.project.id)).version,
    ).toBe(0);
    const second = await scene.begin('error.type:* -> all');
    await scene.work();
    await expect(regroups.cancel(scene.organization.id, second.id, Date.now())).rejects.toMatchObject({
      code: 'conflict',
    });
  });
});

/** Places where a worker may die: each is passed at least once in a job with a split. */
const ALL_POINTS = [
  'regroup-noted',
  'regroup-scanned',
  'regroup-applied',
  'regroup-day-moved',
  'regroup-moved',
  'regroup-finished',
] as const;
/** Those at which the two stores are ahead of each other. */
const POINTS = IS_FULL ? ALL_POINTS : (['regroup-applied', 'regroup-day-moved'] as const);

describe('a worker that dies', () => {
  test.each(POINTS)(
    'at %s is followed by another one, and nothing is lost or counted twice',
    async (point) => {
      const scene = await open();
      const { organization, admin } = scene;
      await scene.send([
        { type: 'A', at: 1 },
        { type: 'A', value: 'rare', at: 2 },
        { type: 'B', at: 3 },
        { type: 'C', at: 4 },
      ]);
      const before = await scene.snapshot();
      const change = await scene.begin('error.type:A error.value:rare -> rare\nerror.type:[BC] -> bc');
      const die = (times: number) => {
        let left = times;
        return {
          hit() {},
          reach(reached: string) {
            if (reached === point && left-- > 0) throw new Error('died');
          },
        };
      };
      await scene.work({ faults: die(1) }).catch(() => {});
      while (await scene.work());
      const issues = await scene.listIssues();
      expect(issues.map(({ timesSeen }) => timesSeen)).toEqual(issues.map(({ stored }) => stored));
      expect(issues.reduce((sum, { timesSeen }) => sum + timesSeen, 0)).toBe(4);
      expect(issues).toHaveLength(3);

      await product.stores.regroups.undo(organization.id, change.id, admin.userId, Date.now());
      await scene.work({ faults: die(1) }).catch(() => {});
      while (await scene.work());
      expect(await scene.snapshot()).toEqual(before);
    },
  );
});
