import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Issue } from '#domain/issues/issue.ts';
import type { Organization, Project } from '#domain/projects.ts';
import { unavailable } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { countIssueTabs } from '#product/issues/count-issue-tabs.ts';
import { getIssue, listIssueActivity } from '#product/issues/get-issue.ts';
import { countIssues } from '#product/issues/issue-counts.ts';
import {
  findEventNeighbors,
  findIssueEvent,
  getEventBeside,
  getIssueTrend,
  listIssueEvents,
} from '#product/issues/issue-events.ts';
import { listIssueTags } from '#product/issues/issue-tags.ts';
import { type IssueListInput, listIssues } from '#product/issues/list-issues.ts';
import { findShownEvent } from '#product/issues/shown-event.ts';
import { updateIssues } from '#product/issues/update-issues.ts';
import type { Range } from '#product/time-buckets.ts';
import { DAY_MS, HOUR_MS, hashOf, MINUTE_MS, NOON_MS } from '../contract/sample-events.ts';
import { testInFull } from '../harness/is-full.ts';
import { openProduct, type Product } from './open-product.ts';

let product: Product;
let organization: Organization;
let web: Project;
let api: Project;
let member: Awaited<ReturnType<Product['join']>>;

beforeAll(async () => {
  product = await openProduct();
});
afterAll(async () => {
  await product?.close();
});
beforeEach(async () => {
  product.clock.nowMs = NOON_MS;
  organization = await product.createOrganization();
  web = await product.createProject(organization, 'web');
  api = await product.createProject(organization, 'api');
  member = await product.join(organization, 'member');
});

const list = (ctx: Context, input: Partial<IssueListInput> = {}) =>
  listIssues(ctx, {
    query: '',
    projectSlugs: [],
    sort: 'date',
    range: null,
    cursor: null,
    limit: 100,
    ...input,
  });

const titles = async (ctx: Context, input: Partial<IssueListInput> = {}) =>
  (await list(ctx, input)).issues.map((issue) => issue.title);

/** One issue per title, each last seen a minute before the one before it. */
function ingestIssues(names: readonly string[], project = web) {
  return product.ingest(
    organization,
    names.map((title, index) => ({
      projectId: project.id,
      title,
      message: title,
      groupingHash: hashOf(title),
      occurredAt: NOON_MS - (index + 1) * MINUTE_MS,
    })),
  );
}

async function onlyIssue(ctx: Context = member): Promise<Issue> {
  const { issues } = await list(ctx);
  expect(issues).toHaveLength(1);
  return issues[0]!;
}

describe('listIssues', () => {
  testInFull('pages hold every issue once, in order', async () => {
    const names = Array.from({ length: 7 }, (_, index) => `Issue ${index}`);
    await ingestIssues(names);
    for (const sort of ['date', 'new', 'freq'] as const) {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page = await list(member, { sort, cursor, limit: 3 });
        seen.push(...page.issues.map((issue) => issue.title));
        cursor = page.nextCursor;
      } while (cursor !== null);
      if (sort !== 'freq') expect(seen).toEqual(names);
      expect([...seen].sort()).toEqual(names);
    }
  });

  test('a cursor of another order, a made-up one and a bad limit are invalid', async () => {
    await ingestIssues(['A', 'B']);
    const { nextCursor } = await list(member, { sort: 'date', limit: 1 });
    await expect(list(member, { sort: 'new', cursor: nextCursor })).rejects.toMatchObject({
      field: 'cursor',
    });
    await expect(list(member, { cursor: 'nonsense' })).rejects.toMatchObject({
      code: 'invalid',
      field: 'cursor',
    });
    for (const limit of [0, 101, 1.5]) {
      await expect(list(member, { limit })).rejects.toMatchObject({ code: 'invalid', field: 'limit' });
    }
  });

  test('pages sorted by events, users and growth hold every issue once, by what is counted', async () => {
    const user = (id: string) => ({ id, email: null, username: null, ip: null });
    const event = (title: string, minutes: number, who: string, environment = 'production') => ({
      projectId: web.id,
      title,
      groupingHash: hashOf(title),
      occurredAt: NOON_MS - minutes * MINUTE_MS,
      user: user(who),
      environment,
    });
    await product.ingest(organization, [
      event('often', 50, '1'),
      event('often', 51, '1'),
      event('often', 52, '1'),
      event('widely', 40, '1', 'staging'),
      event('widely', 41, '2', 'staging'),
      event('rising', 1, '1'),
    ]);
    const range = { fromMs: NOON_MS - HOUR_MS, toMs: NOON_MS };
    const sorted = async (sort: IssueListInput['sort'], environments: string[] = []) => {
      const seen: string[] = [];
      let cursor: string | null = null;
      let previous: string | null = null;
      do {
        const page = await list(member, { sort, range, environments, cursor, limit: 1 });
        seen.push(...page.issues.map((issue) => issue.title));
        previous = page.previousCursor;
        cursor = page.nextCursor;
      } while (cursor !== null);
      if (previous) {
        const before = await list(member, { sort, range, environments, cursor: previous, limit: 1 });
        expect(before.issues[0]?.title).toBe(seen.at(-2));
      }
      return seen;
    };
    expect(await sorted('freq')).toEqual(['often', 'widely', 'rising']);
    expect((await sorted('user'))[0]).toBe('widely');
    expect((await sorted('trends'))[0]).toBe('rising');
    expect(await sorted('freq', ['staging'])).toEqual(['widely']);
    const events = {
      ...member.stores.events,
      rankIssues: () => Promise.reject(unavailable('ClickHouse is away')),
    };
    const away = { ...member, stores: { ...member.stores, events } };
    expect((await list(away, { sort: 'freq', range })).issues).toHaveLength(3);
  });

  test('counts are of the environment and of what the search asks of events', async () => {
    const user = (email: string) => ({ id: null, email, username: null, ip: null });
    await product.ingest(
      organization,
      [
        { projectId: web.id, environment: 'production', release: 'web@1', user: user('ana@example.com') },
        { projectId: web.id, environment: 'production', release: 'web@2', user: user('bo@example.com') },
        { projectId: web.id, environment: 'staging', release: 'web@2', user: user('ana@example.com') },
      ].map((event, index) => ({
        ...event,
        tags: [['release', event.release]] as const,
        occurredAt: NOON_MS - (3 - index) * MINUTE_MS,
      })),
    );
    const counted = async (query: string, environments: string[] = []) => {
      const { issues, isFiltered } = await list(member, { query, environments });
      const { events, users, firstSeen, lastSeen } = issues[0]?.activity ?? {};
      return {
        isFiltered,
        events,
        users,
        minutes: [firstSeen, lastSeen].map((ms) => (NOON_MS - (ms ?? 0)) / MINUTE_MS),
      };
    };
    expect(await counted('is:unresolved')).toEqual({
      isFiltered: false,
      events: 3,
      users: 2,
      minutes: [3, 1],
    });
    expect(await counted('', ['staging'])).toEqual({
      isFiltered: true,
      events: 1,
      users: 1,
      minutes: [1, 1],
    });
    expect(await counted('user.email:ana@example.com')).toMatchObject({
      events: 2,
      users: 1,
      minutes: [3, 1],
    });
    expect(await counted('user.email:ana@example.com', ['production'])).toMatchObject({
      events: 1,
      minutes: [3, 3],
    });
    expect(await counted('release:web@2 is:unresolved')).toMatchObject({
      events: 2,
      users: 2,
      minutes: [2, 1],
    });
    expect(await counted('!release:web@2')).toMatchObject({ events: 1 });
    expect(await counted('release:web@1 OR environment:staging')).toMatchObject({ events: 2 });
    // One alternative asks nothing of events, so all of them count.
    expect(await counted('is:unresolved OR release:web@1')).toMatchObject({ isFiltered: false, events: 3 });
    expect(await counted('level:error')).toMatchObject({ isFiltered: true, events: 3 });

    const issue = await onlyIssue();
    const filter = { range: null, environments: ['production'], query: 'release:web@2' };
    const range = { fromMs: NOON_MS - HOUR_MS, toMs: NOON_MS };
    expect(await getIssueTrend(member, issue, { ...filter, range, bucketMs: HOUR_MS })).toMatchObject({
      events: 1,
      users: 1,
    });
    const tags = await listIssueTags(member, issue, { ...filter, range });
    expect(tags.find(({ key }) => key === 'release')).toMatchObject({ total: 1, top: [{ value: 'web@2' }] });
    const event = await findIssueEvent(member, issue, 'recommended', filter);
    expect(event?.user.email).toBe('bo@example.com');
    expect(await findEventNeighbors(member, issue, event!, filter)).toMatchObject({ position: 1, total: 1 });
    expect(await findIssueEvent(member, issue, 'latest', { ...filter, query: 'release:web@9' })).toBeNull();
    await expect(
      findIssueEvent(member, issue, 'latest', { range: null, query: 'is:resolved' }),
    ).rejects.toThrow();
  });

  test('each row has its events and users of the range, in whole buckets that cover it', async () => {
    const user = (id: string) => ({ id, email: null, username: null, ip: null });
    await product.ingest(organization, [
      { projectId: web.id, occurredAt: NOON_MS - 90 * MINUTE_MS, user: user('1') },
      { projectId: web.id, occurredAt: NOON_MS - 90 * MINUTE_MS, user: user('2') },
      { projectId: web.id, occurredAt: NOON_MS - MINUTE_MS, user: user('1') },
      { projectId: web.id, occurredAt: NOON_MS - 3 * DAY_MS, user: user('3') },
    ]);
    const { issues, range, bucketMs } = await list(member, {
      range: { fromMs: NOON_MS - DAY_MS, toMs: NOON_MS },
    });
    const activity = issues[0]?.activity;
    expect(activity).toMatchObject({ issueId: issues[0]?.id, events: 3, users: 2 });
    expect(activity?.buckets).toHaveLength((range.toMs - range.fromMs) / bucketMs);
    expect(activity?.buckets.reduce((sum, count) => sum + count, 0)).toBe(3);
    const at = (ms: number) => activity?.buckets[Math.floor((ms - range.fromMs) / bucketMs)];
    expect([at(NOON_MS - 90 * MINUTE_MS), at(NOON_MS - MINUTE_MS)]).toEqual([2, 1]);
    expect(issues[0]?.timesSeen).toBe(4);
  });

  test('counts of a list are those of its range, its chart and of all time, asked for at once where they are the same', async () => {
    const user = (id: string) => ({ id, email: null, username: null, ip: null });
    await product.ingest(organization, [
      { projectId: web.id, occurredAt: NOON_MS - 90 * MINUTE_MS, user: user('1'), environment: 'staging' },
      { projectId: web.id, occurredAt: NOON_MS - MINUTE_MS, user: user('1') },
      { projectId: web.id, occurredAt: NOON_MS - 3 * DAY_MS, user: user('3') },
    ]);
    const { issues } = await list(member);
    let asked = 0;
    const events = {
      ...member.stores.events,
      countActivity: (...input: Parameters<typeof member.stores.events.countActivity>) => {
        asked += 1;
        return member.stores.events.countActivity(...input);
      },
    };
    const day = { fromMs: NOON_MS - DAY_MS, toMs: NOON_MS };
    const count = async (input: Partial<Parameters<typeof countIssues>[2]>) => {
      asked = 0;
      const counts = await countIssues({ ...member, stores: { ...member.stores, events } }, issues, {
        query: '',
        projectSlugs: [],
        environments: [],
        range: null,
        chart: { range: day, bucketMs: 12 * HOUR_MS },
        withLifetime: true,
        ...input,
      });
      const { counted, lifetime } = counts!.get(issues[0]!.id)!;
      return {
        asked,
        total: [counted.total.events, counted.total.users],
        chart: counted.chart?.buckets,
        lifetime: lifetime && [lifetime.events, lifetime.users],
      };
    };
    expect(await count({})).toEqual({ asked: 1, total: [3, 2], chart: [0, 2], lifetime: [3, 2] });
    expect(await count({ withLifetime: false })).toMatchObject({ asked: 1, lifetime: null });
    // The bucket of the present hour ends after the present moment.
    const rounded = { fromMs: day.fromMs + 30 * MINUTE_MS, toMs: day.toMs + 30 * MINUTE_MS };
    expect(await count({ chart: { range: rounded, bucketMs: 12 * HOUR_MS } })).toEqual({
      asked: 1,
      total: [3, 2],
      chart: [0, 2],
      lifetime: [3, 2],
    });
    expect(await count({ chart: null })).toEqual({
      asked: 1,
      total: [3, 2],
      chart: undefined,
      lifetime: [3, 2],
    });
    expect(await count({ range: day })).toEqual({ asked: 2, total: [2, 1], chart: [0, 2], lifetime: [3, 2] });
    const hour = { fromMs: NOON_MS - HOUR_MS, toMs: NOON_MS };
    expect(await count({ range: hour })).toEqual({
      asked: 3,
      total: [1, 1],
      chart: [0, 2],
      lifetime: [3, 2],
    });
    const staging = { asked: 2, total: [1, 1], chart: [0, 1], lifetime: [3, 2] };
    expect(await count({ environments: ['staging'] })).toEqual(staging);
  });

  test('while the event store is away the issues are there without their charts', async () => {
    await ingestIssues(['first', 'second']);
    const countActivity = () => Promise.reject(unavailable('ClickHouse is away'));
    const events = { ...member.stores.events, countActivity };
    const { issues } = await list({ ...member, stores: { ...member.stores, events } });
    expect(issues.map(({ title, activity }) => [title, activity])).toEqual([
      ['first', null],
      ['second', null],
    ]);
  });

  test('a range keeps what was last seen in it, up to now also what is dated a little ahead', async () => {
    await product.ingest(organization, [
      { projectId: web.id, title: 'old', groupingHash: hashOf('old'), occurredAt: NOON_MS - 2 * DAY_MS },
      { projectId: web.id, title: 'ahead', groupingHash: hashOf('ahead'), occurredAt: NOON_MS + 30_000 },
    ]);
    const lastDay = { fromMs: NOON_MS - DAY_MS, toMs: NOON_MS };
    expect(await titles(member, { range: lastDay })).toEqual(['ahead']);
    expect(await titles(member, { range: { fromMs: NOON_MS - 3 * DAY_MS, toMs: NOON_MS - DAY_MS } })).toEqual(
      ['old'],
    );
    expect(await titles(member)).toEqual(['ahead', 'old']);
  });

  test('projects narrow it down; one that is not there is not found', async () => {
    await ingestIssues(['in web'], web);
    await ingestIssues(['in api'], api);
    expect(await titles(member, { projectSlugs: ['api'] })).toEqual(['in api']);
    expect((await titles(member)).sort()).toEqual(['in api', 'in web']);
    await expect(list(member, { projectSlugs: ['nope'] })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('a query finds by state, level, release, type, assignee and text', async () => {
    await product.ingest(organization, [
      {
        projectId: web.id,
        title: 'TypeError: cart is gone',
        groupingHash: hashOf('a'),
        release: 'web@2',
        metadata: { type: 'TypeError', value: 'cart is gone' },
      },
      {
        projectId: web.id,
        title: 'disk is full',
        type: 'default',
        level: 'warning',
        groupingHash: hashOf('b'),
        metadata: { title: 'disk is full' },
      },
    ]);
    const cart = 'TypeError: cart is gone';
    const disk = 'disk is full';
    const [first] = (await list(member, { query: 'level:warning' })).issues;
    await updateIssues(member, {
      issueIds: [first!.id],
      change: { status: 'resolved', assigneeUserId: member.userId },
    });
    for (const [query, expected] of [
      ['is:unresolved', [cart]],
      ['is:resolved', [disk]],
      ['!is:resolved', [cart]],
      ['is:new', [cart]],
      ['is:for_review', [cart]],
      ['level:error', [cart]],
      ['!level:error', [disk]],
      ['assigned:me', [disk]],
      [`assigned:${member.email.toUpperCase()}`, [disk]],
      ['is:unassigned', [cart]],
      ['is:assigned', [disk]],
      ['!assigned:me', [cart]],
      ['release:web@2', [cart]],
      ['type:typeerror', [cart]],
      ['"is full"', [disk]],
      ['is full', [disk]],
      ['!full', [cart]],
      ['is:unresolved full', []],
    ] as const) {
      expect([query, await titles(member, { query })]).toEqual([query, [...expected]]);
    }
    await expect(list(member, { query: 'assigned:nobody@example.com' })).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('nobody@example.com'),
    });
  });

  test('issues of other organizations and, for all but the owner of the instance, of internal projects are not there', async () => {
    const internal = await product.createProject(organization, 'errata-self', true);
    await ingestIssues(['our own'], internal);
    await ingestIssues(['mine']);
    const stranger = await product.join(await product.createOrganization(), 'owner');
    const instanceOwner = await product.join(organization, 'owner', true);
    const orgOwner = await product.join(organization, 'owner');
    expect(await titles(stranger)).toEqual([]);
    expect(await titles(member)).toEqual(['mine']);
    expect(await titles(orgOwner)).toEqual(['mine']);
    expect((await titles(instanceOwner)).sort()).toEqual(['mine', 'our own']);
    await expect(list(member, { projectSlugs: ['errata-self'] })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

test('tabs count what their searches find', async () => {
  await ingestIssues(['a', 'b', 'c', 'd']);
  const { issues } = await list(member);
  const [a, b, c] = issues.map((issue) => issue.id);
  await updateIssues(member, { issueIds: [a!], change: { status: 'archived' } });
  await updateIssues(member, { issueIds: [b!], change: { status: 'unresolved', substatus: 'escalating' } });
  await updateIssues(member, { issueIds: [c!], change: { assigneeUserId: member.userId } });
  const input = { projectSlugs: [], range: null };
  expect(await countIssueTabs(member, input)).toEqual({
    unresolved: 3,
    forYou: 1,
    regressed: 0,
    escalating: 1,
    archived: 1,
  });
  const other = await product.join(organization, 'viewer');
  expect(await countIssueTabs(other, input)).toMatchObject({ unresolved: 3, forYou: 0 });
  const system = product.contextFor(organization, { kind: 'system' });
  expect(await countIssueTabs(system, input)).toMatchObject({ unresolved: 3, forYou: 0 });
  expect(await countIssueTabs(member, { ...input, projectSlugs: ['api'] })).toMatchObject({ unresolved: 0 });
});

describe('getIssue', () => {
  test('finds by number and by short id of either case', async () => {
    await ingestIssues(['a']);
    const issue = await onlyIssue();
    for (const id of [String(issue.id), issue.shortId, issue.shortId.toLowerCase()]) {
      expect((await getIssue(member, id)).id).toBe(issue.id);
    }
    expect(issue.shortId).toBe('WEB-1');
  });

  test('what is of another organization, of an internal project or nowhere is not found', async () => {
    await ingestIssues(['a']);
    const issue = await onlyIssue();
    const stranger = await product.join(await product.createOrganization(), 'owner', true);
    for (const id of [String(issue.id), issue.shortId, '0', '99999999999999999999', 'WEB-ZZ', '', "x'; --"]) {
      await expect(getIssue(stranger, id)).rejects.toMatchObject({ code: 'not_found' });
    }
    const internal = await product.createProject(organization, 'errata-self', true);
    await ingestIssues(['own'], internal);
    await expect(getIssue(member, 'ERRATA-SELF-1')).rejects.toMatchObject({ code: 'not_found' });
    const instanceOwner = await product.join(organization, 'owner', true);
    expect((await getIssue(instanceOwner, 'ERRATA-SELF-1')).title).toBe('own');
  });
});

describe('the events of an issue', () => {
  test('are listed newest first over pages, and only its own', async () => {
    const made = await product.ingest(
      organization,
      Array.from({ length: 5 }, (_, index) => ({
        projectId: web.id,
        occurredAt: NOON_MS - index * HOUR_MS,
      })),
    );
    await product.ingest(organization, [{ projectId: api.id }]);
    const issue = await getIssue(member, 'WEB-1');
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await listIssueEvents(member, issue, { cursor, limit: 2, range: null });
      ids.push(...page.events.map((event) => event.eventId));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(ids).toEqual(made.map((event) => event.eventId));
  });

  test('latest, oldest and any one are found with their neighbors and place', async () => {
    const [newest, middle, oldest] = await product.ingest(
      organization,
      [0, 1, 2].map((index) => ({ projectId: web.id, occurredAt: NOON_MS - index * HOUR_MS })),
    );
    const issue = await onlyIssue();
    const show = (which: string, counted: number | null = 3, range: Range | null = null) =>
      findShownEvent(member, issue, which, { range }, Promise.resolve(counted));
    const isOutside = false;
    const ofLatest = {
      event: { eventId: newest!.eventId, payload: newest!.payload },
      neighbors: { previousId: middle!.eventId, nextId: null, position: 3, total: 3 },
      isOutside,
    };
    expect(await show('latest')).toMatchObject(ofLatest);
    // Where the page could not count, the event is placed by a look of its own.
    expect(await show('latest', null)).toMatchObject(ofLatest);
    expect(await show('oldest')).toMatchObject({
      event: { eventId: oldest!.eventId },
      neighbors: { previousId: null, nextId: middle!.eventId, position: 1, total: 3 },
      isOutside,
    });
    expect(await show(middle!.eventId.toUpperCase())).toMatchObject({
      event: { eventId: middle!.eventId },
      neighbors: { previousId: oldest!.eventId, nextId: newest!.eventId, position: 2, total: 3 },
      isOutside,
    });
    const early = { fromMs: NOON_MS - 3 * HOUR_MS, toMs: NOON_MS };
    expect(await show('recommended', 2, early)).toMatchObject({
      event: { eventId: middle!.eventId },
      neighbors: { previousId: oldest!.eventId, nextId: null, position: 2, total: 2 },
      isOutside,
    });
  });

  test('where the filter leaves no event, one from outside it is shown, with its place among all', async () => {
    const [newest, oldest] = await product.ingest(
      organization,
      [0, 1].map((index) => ({ projectId: web.id, occurredAt: NOON_MS - index * HOUR_MS })),
    );
    const issue = await onlyIssue();
    const range = { fromMs: NOON_MS - DAY_MS, toMs: NOON_MS - 2 * HOUR_MS };
    for (const which of ['recommended', newest!.eventId]) {
      expect(await findShownEvent(member, issue, which, { range }, Promise.resolve(0))).toMatchObject({
        event: { eventId: newest!.eventId },
        neighbors: { previousId: oldest!.eventId, nextId: null, position: 2, total: 2 },
        isOutside: true,
      });
    }
  });

  test('an event of another issue, or of none, is null', async () => {
    const [, other] = await product.ingest(organization, [
      { projectId: web.id },
      { projectId: web.id, groupingHash: hashOf('other'), title: 'other' },
    ]);
    const issue = await getIssue(member, 'WEB-1');
    expect(await getEventBeside(member, issue, other!.eventId)).toBeNull();
    expect(await getEventBeside(member, issue, 'f'.repeat(32))).toBeNull();
    expect(await getEventBeside(member, issue, 'no id')).toBeNull();
  });

  test('trend and tags count those of the range', async () => {
    await product.ingest(organization, [
      { projectId: web.id, occurredAt: NOON_MS - HOUR_MS, tags: [['browser', 'Safari']] },
      { projectId: web.id, occurredAt: NOON_MS - 2 * HOUR_MS, tags: [['browser', 'Safari']] },
      { projectId: web.id, occurredAt: NOON_MS - 2 * DAY_MS, tags: [['browser', 'Chrome']] },
    ]);
    const issue = await onlyIssue();
    const range = { fromMs: NOON_MS - DAY_MS, toMs: NOON_MS };
    const trend = await getIssueTrend(member, issue, { range, bucketMs: HOUR_MS });
    expect(trend.buckets).toHaveLength(24);
    expect(trend.buckets.slice(-2)).toEqual([1, 1]);
    expect(trend.events).toBe(2);
    expect(await listIssueTags(member, issue, { range })).toEqual([
      {
        key: 'browser',
        total: 2,
        distinct: 1,
        top: [{ value: 'Safari', count: 2, firstSeen: NOON_MS - 2 * HOUR_MS, lastSeen: NOON_MS - HOUR_MS }],
      },
    ]);
  });
});

describe('updateIssues', () => {
  test('resolves, tells how it was before, and writes what was done by whom', async () => {
    await ingestIssues(['a']);
    const issue = await onlyIssue();
    const { before } = await updateIssues(member, { issueIds: [issue.id], change: { status: 'resolved' } });
    expect(before).toMatchObject([{ id: issue.id, status: 'unresolved', substatus: 'new' }]);
    expect(await onlyIssue()).toMatchObject({ status: 'resolved', substatus: null, resolvedAt: NOON_MS });
    const [activity] = await listIssueActivity(member, issue);
    expect(activity).toMatchObject({ type: 'set_resolved', user: { id: member.userId }, at: NOON_MS });
  });

  test('what was before undoes the change', async () => {
    await ingestIssues(['a']);
    const issue = await onlyIssue();
    const { before } = await updateIssues(member, { issueIds: [issue.id], change: { status: 'archived' } });
    expect(await onlyIssue()).toMatchObject({ status: 'archived', substatus: 'archived_until_escalating' });
    const { status, substatus } = before[0]!;
    await updateIssues(member, { issueIds: [issue.id], change: { status, substatus } });
    expect(await onlyIssue()).toMatchObject({ status: 'unresolved', substatus: 'new' });
  });

  test('assigns to members only', async () => {
    await ingestIssues(['a']);
    const issue = await onlyIssue();
    await updateIssues(member, { issueIds: [issue.id], change: { assigneeUserId: member.userId } });
    expect((await onlyIssue()).assignee).toMatchObject({ userId: member.userId, email: member.email });
    const stranger = await product.join(await product.createOrganization(), 'member');
    await expect(
      updateIssues(member, { issueIds: [issue.id], change: { assigneeUserId: stranger.userId } }),
    ).rejects.toMatchObject({ code: 'invalid', field: 'assignedTo' });
    await updateIssues(member, { issueIds: [issue.id], change: { assigneeUserId: null } });
    expect((await onlyIssue()).assignee).toBeNull();
  });

  test('leaves issues of other organizations, of hidden and of other projects alone', async () => {
    const internal = await product.createProject(organization, 'errata-self', true);
    await ingestIssues(['own'], internal);
    await ingestIssues(['mine']);
    const instanceOwner = await product.join(organization, 'owner', true);
    const ids = (await list(instanceOwner)).issues.map((issue) => issue.id);
    const change = { status: 'resolved' } as const;
    const stranger = await product.join(await product.createOrganization(), 'owner', true);
    expect(await updateIssues(stranger, { issueIds: ids, change })).toEqual({ before: [] });
    expect(await updateIssues(member, { issueIds: ids, change, projectSlugs: ['api'] })).toEqual({
      before: [],
    });
    const { before } = await updateIssues(member, { issueIds: [...ids, 999_999_999], change });
    expect(before.map((issue) => issue.title)).toEqual(['mine']);
    expect(await titles(instanceOwner, { query: 'is:unresolved' })).toEqual(['own']);
  });

  test('what makes no sense is invalid, and nothing changes', async () => {
    await ingestIssues(['a']);
    const issueIds = [(await onlyIssue()).id];
    for (const change of [
      {},
      { substatus: 'new' },
      { status: 'resolved', substatus: 'new' },
      { status: 'archived', substatus: 'regressed' },
      { status: 'finished' },
    ]) {
      await expect(
        updateIssues(member, { issueIds, change: change as { status: 'resolved' } }),
      ).rejects.toMatchObject({ code: 'invalid' });
    }
    const tooMany = Array.from({ length: 1_001 }, (_, index) => index + 1);
    await expect(updateIssues(member, { issueIds: tooMany, change: { status: 'resolved' } })).rejects.toThrow(
      /At most 1000 issues/,
    );
    expect(await onlyIssue()).toMatchObject({ status: 'unresolved', substatus: 'new' });
  });

  test('needs the role member, and of a token event:write', async () => {
    await ingestIssues(['a']);
    const { id } = await onlyIssue();
    const update = (ctx: Context) => updateIssues(ctx, { issueIds: [id], change: { status: 'resolved' } });
    const viewer = await product.join(organization, 'viewer');
    await expect(update(viewer)).rejects.toMatchObject({ code: 'forbidden' });
    const token = (scopes: readonly string[]): Context => ({
      ...member,
      actor: {
        kind: 'token',
        userId: member.userId,
        name: 'CI',
        role: 'member',
        isInstanceOwner: false,
        scopes,
      },
    });
    await expect(update(token(['event:read']))).rejects.toThrow(/event:write/);
    await expect(list(token(['project:read']))).rejects.toThrow(/event:read/);
    expect((await update(token(['event:write']))).before).toHaveLength(1);
    expect((await list(viewer)).issues).toHaveLength(1);
  });
});
