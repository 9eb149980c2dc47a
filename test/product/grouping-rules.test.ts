import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '#lib/time.ts';
import { compareGroupings, findComparedEvent } from '#product/grouping/compare-groupings.ts';
import { explainGrouping } from '#product/grouping/explain-grouping.ts';
import {
  cancelRegroup,
  forgetGroupingChanges,
  undoGroupingChange,
} from '#product/grouping/grouping-changes.ts';
import { applyGroupingRules, getGroupingRules } from '#product/grouping/grouping-rules.ts';
import { listSimilarIssues } from '#product/grouping/list-similar-issues.ts';
import { mergeIssues, previewMerge } from '#product/grouping/merge-issues.ts';
import { previewGroupingRules } from '#product/grouping/preview-grouping-rules.ts';
import { getIssue } from '#product/issues/get-issue.ts';
import { testInFull } from '../harness/is-full.ts';
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
const texts = (fingerprint: string) => ({ fingerprint, stackTrace: '' });
const range = () => ({ fromMs: Date.now() - DAY_MS, toMs: Date.now() + DAY_MS });

describe('rules of a project', () => {
  test('are kept as versions, and nobody overwrites what somebody else saved', async () => {
    const { admin, project } = await open();
    const apply = (fingerprint: string, basedOn: number) =>
      applyGroupingRules(admin, { projectSlug: project.slug, to: 'new', basedOn, rules: texts(fingerprint) });
    await apply('error.type:A -> a', 0);
    await expect(apply('error.type:B -> b', 0)).rejects.toMatchObject({ code: 'conflict' });
    await apply('error.type:B -> b\r\n', 1);
    await expect(apply('no arrow', 2)).rejects.toMatchObject({ code: 'invalid' });
    await applyGroupingRules(admin, {
      projectSlug: project.slug,
      to: 'new',
      basedOn: 2,
      rules: { restore: 1 },
    });
    expect(await getGroupingRules(admin, project.slug)).toMatchObject({
      active: { version: 3, fingerprint: 'error.type:A -> a' },
      versions: [
        { version: 3, restoredFrom: 1, author: { userId: admin.userId } },
        { version: 2, fingerprint: 'error.type:B -> b' },
        { version: 1 },
      ],
    });
    expect(await product.stores.groupingRules.listActive(10)).toContainEqual({
      projectId: project.id,
      version: 3,
      fingerprint: 'error.type:A -> a',
      stackTrace: '',
    });
  });

  testInFull(
    'a member may merge, and only an admin may change, preview, cancel and take back rules',
    async () => {
      const scene = await open();
      const { project } = scene;
      const member = await scene.member();
      await scene.send([{ type: 'A' }, { type: 'B' }]);
      const change = await scene.begin('error.type:* -> all');
      const forbidden = { code: 'forbidden' };
      const input = { projectSlug: project.slug, to: 'new', basedOn: 0, rules: texts('') } as const;
      await expect(applyGroupingRules(member, input)).rejects.toMatchObject(forbidden);
      await expect(
        previewGroupingRules(member, { projectSlug: project.slug, texts: texts(''), range: range() }),
      ).rejects.toMatchObject(forbidden);
      await expect(cancelRegroup(member, change.id)).rejects.toMatchObject(forbidden);
      await cancelRegroup(scene.admin, change.id);
      await scene.begin('error.type:* -> all');
      await scene.work();
      const { regroups } = await getGroupingRules(member, project.slug);
      await expect(undoGroupingChange(member, regroups[0]!.id)).rejects.toMatchObject(forbidden);

      const other = await open();
      await other.send([{ type: 'A' }, { type: 'B' }]);
      const otherMember = await other.member();
      const issueIds = [await other.idOf('A'), await other.idOf('B')];
      await expect(mergeIssues(member, { issueIds })).rejects.toMatchObject({ code: 'not_found' });
      // What a merge says that it changes is what it changes.
      const preview = await previewMerge(otherMember, { issueIds });
      expect(preview).toMatchObject({ issues: 1, events: 1, eventsAfter: 2 });
      const merged = await mergeIssues(otherMember, { issueIds });
      expect([merged.children.length, merged.target.shortId]).toEqual([preview.issues, preview.into]);
      expect((await getIssue(otherMember, preview.into)).timesSeen).toBe(preview.eventsAfter);
      await expect(undoGroupingChange(scene.admin, merged.change.id)).rejects.toMatchObject({
        code: 'not_found',
      });
      expect(await getIssue(otherMember, String(merged.children[0]!.id))).toMatchObject({
        id: merged.target.id,
      });
      expect(await getIssue(otherMember, merged.children[0]!.shortId)).toMatchObject({
        id: merged.target.id,
      });
    },
  );
});

describe('a preview', () => {
  test('says what merges, what splits and what is called otherwise, and changes nothing', async () => {
    const scene = await open();
    const { admin, project, organization } = scene;
    await scene.send([
      { type: 'A', at: 1 },
      { type: 'B', at: 2 },
      { type: 'C', at: 3 },
      { type: 'D', value: 'one', at: 4 },
      { type: 'D', value: 'two', at: 5 },
    ]);
    const one = await scene.idOf('D: one');
    await product.stores.regroups.merge(
      organization.id,
      { targetId: one, issueIds: [await scene.idOf('D: two')] },
      null,
      Date.now(),
    );
    const before = await scene.snapshot();
    const rules = 'error.type:A -> ab\nerror.type:B -> ab\nerror.type:C -> c title="See"';
    const preview = await previewGroupingRules(admin, {
      projectSlug: project.slug,
      texts: texts(rules),
      range: range(),
    });
    expect(preview).toMatchObject({
      eventsSeen: 5,
      issuesSeen: 4,
      issuesInPeriod: 4,
      issuesAfter: 3,
      // A and B become one, and C is renamed: D stays as it is.
      issuesChanged: 3,
      eventsChanged: 3,
      mergeCount: 1,
      merges: [{ count: 2, issues: [{ title: expect.stringMatching(/^[AB]: broken/) }] }],
      splitCount: 0,
      // Merged, an issue is called as the newest event of all.
      titles: [
        { issue: { title: 'A: broken' }, title: 'B: broken' },
        { issue: { title: 'C: broken' }, title: 'See' },
      ],
    });
    expect(await scene.snapshot()).toEqual(before);
  });

  test('finds what a rule would take apart', async () => {
    const scene = await open();
    await scene.send([{ type: 'A' }, { type: 'B' }]);
    await scene.begin('error.type:* -> all');
    await scene.work();
    const preview = await previewGroupingRules(scene.admin, {
      projectSlug: scene.project.slug,
      texts: texts(''),
      range: range(),
    });
    expect(preview).toMatchObject({
      issuesSeen: 1,
      issuesAfter: 2,
      issuesChanged: 1,
      eventsChanged: 2,
      splitCount: 1,
      splits: [{ parts: [{ stays: true }, { stays: false }] }],
    });
  });
});

describe('why events are one', () => {
  test('two events are compared by what counted, and similar issues are found', async () => {
    const scene = await open();
    const { admin } = scene;
    const [a, b] = await scene.send([
      { type: 'PaymentError', value: 'card refused' },
      { type: 'PaymentError', value: 'card expired' },
      { type: 'Timeout', value: 'no answer' },
    ]);
    const issue = await getIssue(admin, String(await scene.idOf('PaymentError: card refused')));
    const [left, right] = [
      await findComparedEvent(admin, a!.eventId),
      await findComparedEvent(admin, b!.eventId),
    ];
    const compared = compareGroupings(
      (await explainGrouping(admin, left))!,
      (await explainGrouping(admin, right))!,
    );
    expect(compared.common).toBeNull();
    const differing = compared.variants.flatMap(({ lines }) => lines.filter(({ side }) => side !== 'both'));
    expect(differing.map(({ line }) => line.value)).toEqual(
      expect.arrayContaining(['card refused', 'card expired']),
    );
    await expect(findComparedEvent(admin, 'what?')).rejects.toMatchObject({ code: 'invalid' });
    const similar = await listSimilarIssues(admin, issue);
    expect(similar[0]).toMatchObject({
      issue: { title: 'PaymentError: card expired' },
      grouping: expect.closeTo(1 / 3, 1),
    });
  });
});

describe('hashes', () => {
  testInFull('an event that was moved is counted where it was when a batch is digested again', async () => {
    const scene = await open();
    const { regroupEvents, events } = product.stores;
    const { organization, project } = scene;
    const [moved, still] = await scene.send([{ type: 'A' }, { type: 'B' }]);
    const place = { changeId: 987_654, projectId: project.id, phase: 'apply', round: 0 } as const;
    const to = 'e'.repeat(32);
    const move = { ...moved!, from: moved!.groupingHash, to };
    await regroupEvents.noteMoves(place, [move]);
    const [day] = await regroupEvents.listMoveDays(place.changeId, 'apply', null);
    const pairs = [{ from: move.from, to }];
    // Twice, as after a crash.
    await regroupEvents.moveDay({ ...place, organizationId: organization.id }, day!, pairs, false);
    await regroupEvents.moveDay({ ...place, organizationId: organization.id }, day!, pairs, false);
    expect(await scene.eventsByHash()).toEqual(
      [`${to} ${moved!.eventId}`, `${still!.groupingHash} ${still!.eventId}`].sort(),
    );
    const unknown = { ...moved!, eventId: '0'.repeat(32) };
    const former = await events.findFormerHashes([moved!, still!, unknown]);
    expect(Object.fromEntries(former)).toEqual({
      [`${project.id}:${moved!.eventId}`]: moved!.groupingHash,
      [`${project.id}:${still!.eventId}`]: still!.groupingHash,
    });
    await regroupEvents.moveDay({ ...place, organizationId: organization.id }, day!, pairs, true);
    expect(await scene.eventsByHash()).toContain(`${moved!.groupingHash} ${moved!.eventId}`);
  });

  test('counters of an issue are those of its hashes together', async () => {
    const scene = await open();
    await scene.send([{ type: 'A', at: 4 }, { type: 'A', at: -2 }, { type: 'B' }]);
    await scene.send([{ type: 'A', at: 9 }]);
    const { rows } = await sql`
      SELECT issues.title, issues.times_seen = sum(known.times_seen) AND issues.first_seen = min(known.first_seen)
        AND issues.last_seen = max(known.last_seen) AS is_same
      FROM issues JOIN grouping_hashes known ON known.issue_id = issues.id
      WHERE issues.project_id = ${scene.project.id} GROUP BY issues.id ORDER BY issues.id`.execute(
      product.db,
    );
    expect(rows).toEqual([
      { title: 'A: broken', is_same: true },
      { title: 'B: broken', is_same: true },
    ]);
  });

  test('what undo needs is forgotten after 30 days', async () => {
    const scene = await open();
    await scene.send([{ type: 'A' }, { type: 'B' }]);
    await scene.begin('error.type:* -> all');
    await scene.work();
    const countRegroups = async () =>
      (await getGroupingRules(scene.admin, scene.project.slug)).regroups.length;
    await forgetGroupingChanges(product.stores, Date.now() + 29 * DAY_MS);
    expect(await countRegroups()).toBe(1);
    await forgetGroupingChanges(product.stores, Date.now() + 31 * DAY_MS);
    expect(await countRegroups()).toBe(0);
  });
});
