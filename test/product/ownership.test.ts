import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Organization, Project } from '#domain/projects.ts';
import { IssueRulesTable } from '#ingest/issue-rules-table.ts';
import type { Context } from '#product/context.ts';
import { getIssue, listIssueActivity } from '#product/issues/get-issue.ts';
import { getOwnership, updateOwnership } from '#product/ownership/ownership.ts';
import { suggestOwners } from '#product/ownership/suggest-owners.ts';
import { createTeam } from '#product/teams/teams.ts';
import type { DigestedEvent } from '#protocol/event.ts';
import { createDigestStore } from '#storage/postgres/digest/digest-store.ts';
import { testLog } from '../contract/engines.ts';
import { hashOf, makeEvent } from '../contract/sample-events.ts';
import { openProduct, type Product } from './open-product.ts';

type Joined = Context & { userId: string; email: string };

let product: Product;
let mine: Organization;
let web: Project;
let admin: Joined;
let member: Joined;
let stranger: Joined;

beforeAll(async () => {
  product = await openProduct();
  mine = await product.createOrganization();
  web = await product.createProject(mine, 'web');
  [admin, member] = await Promise.all([product.join(mine, 'admin'), product.join(mine, 'member')]);
  stranger = await product.join(await product.createOrganization(), 'owner', true);
  await createTeam(await product.join(mine, 'manager'), { slug: 'shop', name: 'Shop' });
});
afterAll(async () => {
  await product?.close();
});

const save = (change: object, ctx: Context = admin) => updateOwnership(ctx, { projectSlug: 'web', change });

function eventIn(file: string, name: string): DigestedEvent {
  const event = makeEvent({ organizationId: mine.id, projectId: web.id, groupingHash: hashOf(name) });
  const frames = [{ filename: file, in_app: true }];
  return { ...event, payload: { ...event.payload, exception: { values: [{ stacktrace: { frames } }] } } };
}

test('rules are saved whole or not at all, by admins, each line said that is wrong', async () => {
  await expect(save({ rules: 'a #shop' }, member)).rejects.toMatchObject({ code: 'forbidden' });
  await expect(save({ rules: 'a #shop' }, stranger)).rejects.toMatchObject({ code: 'not_found' });
  await expect(getOwnership(stranger, 'web')).rejects.toMatchObject({ code: 'not_found' });
  for (const [rules, message] of [
    ['a #shop\nb nobody@example.com', /line 2: No member is nobody@example.com/],
    ['a #nothing', /line 1: There is no team #nothing/],
    [`a ${stranger.email}`, /line 1: No member/],
    ['file:a #shop', /line 1: "file:"/],
  ] as const) {
    await expect(save({ rules })).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringMatching(message),
    });
  }
  const saved = await save({ rules: `path:src/* ${member.email}`, autoAssign: true });
  expect(saved).toMatchObject({ version: 1, updatedBy: { id: admin.userId }, autoAssign: true });
  const late = { projectSlug: 'web', change: { rules: '' }, version: 0 };
  await expect(updateOwnership(admin, late)).rejects.toMatchObject({ code: 'conflict' });
  expect(await getOwnership(member, 'web')).toMatchObject({
    rules: `path:src/* ${member.email}`,
    version: 1,
  });
});

test('a CODEOWNERS file may name people who are not here', async () => {
  await expect(save({ codeowners: '!x @y' })).rejects.toMatchObject({ code: 'invalid' });
  await save({ codeowners: '/lib/ @octocat @acme/shop' });
  const { owners: suggested } = await suggestOwners(member, web.id, eventIn('lib/a.ts', 'a'));
  expect(suggested).toMatchObject([
    {
      owner: { kind: 'team', slug: 'shop' },
      rule: { source: 'codeowners', line: 1, text: '/lib/ @octocat @acme/shop' },
      value: 'lib/a.ts',
    },
  ]);
});

test('owners are suggested with the reason, the one who counts most first', async () => {
  await save({ rules: `path:src/* ${member.email}\npath:src/pay/* #shop`, codeowners: '' });
  const { owners: suggested } = await suggestOwners(member, web.id, eventIn('src/pay/a.ts', 'b'));
  expect(suggested.map(({ owner, rule }) => [owner.kind, rule.line])).toEqual([
    ['team', 2],
    ['user', 1],
  ]);
  await save({ rules: `path:src/* ${member.email}\npath:src/vendor/*` });
  expect((await suggestOwners(member, web.id, eventIn('src/vendor/a.ts', 'c'))).owners).toEqual([]);
});

test('the most rules against the longest stack are tried for a bounded time, and it is said', async () => {
  const event = eventIn('src/a.ts', 'many');
  const frames = Array.from({ length: 100 }, (_, index) => ({
    filename: `src/${index}/${'folder/'.repeat(280)}`,
  }));
  const long = {
    ...event,
    payload: { ...event.payload, exception: { values: [{ stacktrace: { frames } }] } },
  };
  await save({ rules: `path:src/* #shop\n${'*x* #shop\n'.repeat(1_999)}`, codeowners: '' });
  expect(await suggestOwners(member, web.id, long)).toEqual({ owners: [], isComplete: false });
  expect(await suggestOwners(member, web.id, event)).toMatchObject({ isComplete: true, owners: [{}] });
});

test('digest gives new issues to their owners, once, and says by which rule', async () => {
  await save({
    rules: `path:src/* ${member.email}\npath:src/pay/* nobody-yet@example.com #shop`.replace(
      'nobody-yet@example.com ',
      '',
    ),
    codeowners: '/lib/ @octocat @acme/shop',
    autoAssign: true,
  });
  const table = new IssueRulesTable(product.stores, testLog);
  await table.load();
  const digest = createDigestStore(product.db, (event) => table.findOwner(event.projectId, event));
  const assign = async (spoolId: string, events: DigestedEvent[]) =>
    digest.assign({ spoolId, from: 0, to: 1 }, events, [], [], product.clock.nowMs);
  await assign('one', [
    eventIn('src/a.ts', 'd-1'),
    eventIn('src/pay/b.ts', 'd-2'),
    eventIn('lib/c.ts', 'd-3'),
    eventIn('other/d.ts', 'd-4'),
  ]);
  const found = async (name: string) =>
    (await product.stores.issues.findByHash(mine.id, web.id, hashOf(name)))!;
  expect(await found('d-1')).toMatchObject({ assignee: { userId: member.userId }, assigneeTeam: null });
  expect(await found('d-2')).toMatchObject({ assignee: null, assigneeTeam: { slug: 'shop' } });
  expect(await found('d-3')).toMatchObject({ assigneeTeam: { slug: 'shop' } });
  expect(await found('d-4')).toMatchObject({ assignee: null, assigneeTeam: null });
  const activity = await listIssueActivity(member, await found('d-1'));
  expect(activity.find(({ type }) => type === 'assigned')).toMatchObject({
    user: null,
    data: {
      assigneeUserId: member.userId,
      rule: { source: 'rules', line: 1, text: `path:src/* ${member.email}`, value: 'src/a.ts' },
    },
  });
  // What a person decided stays.
  const issue = await getIssue(member, (await found('d-1')).shortId);
  await product.stores.issues.update(mine.id, [issue.id], { assigneeUserId: null }, member.userId, 0);
  await assign('two', [eventIn('src/a.ts', 'd-1')]);
  expect(await found('d-1')).toMatchObject({ assignee: null, timesSeen: 2 });

  await save({ autoAssign: false });
  await table.load();
  await assign('three', [eventIn('src/a.ts', 'd-5')]);
  expect(await found('d-5')).toMatchObject({ assignee: null });
});
