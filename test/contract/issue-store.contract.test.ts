import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Issue } from '#domain/issues/issue.ts';
import type { IssuePage, IssuePlace } from '#product/issues/issue-page.ts';
import type { DigestedEvent } from '#protocol/event.ts';
import { EVERYTHING, type IssueExpression } from '#storage/ports/search.ts';
import { type Asked, asks } from './asked-issues.ts';
import { describeOnPostgres } from './engines.ts';
import { openPostgresStores, type PostgresStores, type Tenant } from './postgres-stores.ts';
import { DAY_MS, HOSTILE_TEXT, HOUR_MS, hashOf, MINUTE_MS, makeEvent, NOON_MS } from './sample-events.ts';

describeOnPostgres('IssueStore', (engine) => {
  let stores: PostgresStores;
  beforeAll(async () => {
    stores = await openPostgresStores(engine);
  });
  afterAll(async () => {
    await stores?.database.drop();
  });

  /** One issue per entry, in the order given; `times` events each. */
  async function createIssues(
    tenant: Tenant,
    entries: readonly (Partial<DigestedEvent> & { times?: number })[],
  ): Promise<Issue[]> {
    const known = new Set((await stores.listIssues(tenant)).map((issue) => issue.id));
    const events = entries.flatMap(({ times = 1, ...overrides }, index) =>
      Array.from({ length: times }, () =>
        makeEvent({ ...tenant, groupingHash: hashOf(`${known.size} ${index}`), ...overrides }),
      ),
    );
    await stores.assignNext(events);
    return (await stores.listIssues(tenant)).filter((issue) => !known.has(issue.id));
  }

  async function searchTitles(
    tenant: Tenant,
    filter: Asked,
    projectIds = [tenant.projectId],
  ): Promise<string[]> {
    const options = { sort: 'date', limit: 100, after: null } as const;
    const found = asks(filter);
    const { issues } = await stores.issues.search(tenant.organizationId, projectIds, found, options);
    expect(await stores.issues.countEach(tenant.organizationId, projectIds, [found], 1_000)).toEqual([
      issues.length,
    ]);
    return issues.map((issue) => issue.title).sort();
  }

  const update = (
    tenant: Tenant,
    issues: readonly Issue[],
    change: Parameters<typeof stores.issues.update>[2],
  ) =>
    stores.issues.update(
      tenant.organizationId,
      issues.map((issue) => issue.id),
      change,
      null,
      NOON_MS,
    );

  test('filters by status and substatus, also negated', async () => {
    const tenant = await stores.createTenant();
    const [open, resolved, archived] = await createIssues(tenant, [
      { title: 'open' },
      { title: 'resolved' },
      { title: 'archived' },
    ]);
    await update(tenant, [resolved!], { status: 'resolved' });
    await update(tenant, [archived!], { status: 'archived' });
    expect(open).toBeDefined();
    const search = (filter: Asked) => searchTitles(tenant, filter);
    expect(await search({})).toEqual(['archived', 'open', 'resolved']);
    expect(await search({ statuses: ['unresolved'] })).toEqual(['open']);
    expect(await search({ statuses: ['resolved', 'archived'] })).toEqual(['archived', 'resolved']);
    expect(await search({ substatuses: ['new'] })).toEqual(['open']);
    expect(await search({ substatuses: ['archived_until_escalating', 'regressed'] })).toEqual(['archived']);
    expect(await search({ negated: { statuses: ['unresolved'] } })).toEqual(['archived', 'resolved']);
    expect(await search({ negated: { substatuses: ['new'] } })).toEqual(['archived', 'resolved']);
    expect(await search({ statuses: ['unresolved'], negated: { substatuses: ['new'] } })).toEqual([]);
  });

  test('filters by level, also negated', async () => {
    const tenant = await stores.createTenant();
    await createIssues(tenant, [
      { title: 'fatal', level: 'fatal' },
      { title: 'error', level: 'error' },
      { title: 'info', level: 'info' },
    ]);
    expect(await searchTitles(tenant, { levels: ['fatal'] })).toEqual(['fatal']);
    expect(await searchTitles(tenant, { levels: ['fatal', 'info'] })).toEqual(['fatal', 'info']);
    expect(await searchTitles(tenant, { negated: { levels: ['error', 'info'] } })).toEqual(['fatal']);
  });

  test('filters by assignee, by nobody, and by either; also negated', async () => {
    const tenant = await stores.createTenant();
    const [ada, bob] = [await stores.createUser('Ada'), await stores.createUser('Bob')];
    const [ofAda, ofBob] = await createIssues(tenant, [
      { title: 'of Ada' },
      { title: 'of Bob' },
      { title: 'of nobody' },
    ]);
    await update(tenant, [ofAda!], { assigneeUserId: ada });
    await update(tenant, [ofBob!], { assigneeUserId: bob });
    expect(await searchTitles(tenant, { assignees: [ada] })).toEqual(['of Ada']);
    expect(await searchTitles(tenant, { assignees: ['none'] })).toEqual(['of nobody']);
    expect(await searchTitles(tenant, { assignees: [ada, 'none'] })).toEqual(['of Ada', 'of nobody']);
    expect(await searchTitles(tenant, { negated: { assignees: [ada] } })).toEqual(['of Bob', 'of nobody']);
    expect(await searchTitles(tenant, { negated: { assignees: ['none'] } })).toEqual(['of Ada', 'of Bob']);
    expect(await searchTitles(tenant, { assignees: ["'; DROP TABLE issues; --"] })).toEqual([]);
  });

  test('filters by every release that an issue was seen in, not only the last', async () => {
    const tenant = await stores.createTenant();
    const theirs = await stores.createTenant();
    const groupingHash = hashOf('released');
    await stores.assignNext([
      makeEvent({ ...tenant, groupingHash, title: 'released', release: 'r1', occurredAt: NOON_MS }),
      makeEvent({ ...tenant, groupingHash, title: 'released', release: 'r2', occurredAt: NOON_MS + 1 }),
      makeEvent({ ...tenant, groupingHash, title: 'released', release: 'r3', occurredAt: NOON_MS + 2 }),
      makeEvent({ ...tenant, groupingHash: hashOf('x'), title: 'other', release: HOSTILE_TEXT }),
      makeEvent({ ...tenant, groupingHash: hashOf('y'), title: 'without' }),
      makeEvent({ ...theirs, groupingHash, title: 'theirs', release: 'r2' }),
    ]);
    for (const release of ['r1', 'r2', 'r3']) {
      expect(await searchTitles(tenant, { releases: [release] })).toEqual(['released']);
    }
    expect(await searchTitles(tenant, { releases: [HOSTILE_TEXT] })).toEqual(['other']);
    expect(await searchTitles(tenant, { releases: ['r1', HOSTILE_TEXT] })).toEqual(['other', 'released']);
    expect(await searchTitles(tenant, { releases: ['r'] })).toEqual([]);
  });

  test('every word must occur, in title, culprit, message, type, value or short id', async () => {
    const tenant = await stores.createTenant();
    const [first] = await createIssues(tenant, [
      {
        title: 'A title',
        culprit: 'cart.applyCoupon',
        message: 'cannot read',
        metadata: { type: 'Oops', value: 'five' },
      },
      { title: 'B title', culprit: '', message: 'nothing', metadata: {} },
    ]);
    for (const word of ['a TITLE', 'applycoupon', 'CANNOT', 'oops', 'five', first!.shortId.toLowerCase()]) {
      expect(await searchTitles(tenant, { text: [word] })).toEqual(['A title']);
    }
    expect(await searchTitles(tenant, { text: ['title'] })).toEqual(['A title', 'B title']);
    expect(await searchTitles(tenant, { text: ['title', 'oops'] })).toEqual(['A title']);
    expect(await searchTitles(tenant, { text: ['oops', 'nothing'] })).toEqual([]);
    expect(await searchTitles(tenant, { negated: { text: ['oops'] } })).toEqual(['B title']);
    expect(await searchTitles(tenant, { text: ['title'], negated: { text: ['nothing', 'zzz'] } })).toEqual([
      'A title',
    ]);
  });

  test('characters that mean something to LIKE or to SQL mean themselves', async () => {
    const tenant = await stores.createTenant();
    const titles = [
      '50% off',
      '50 off',
      'a_b',
      'axb',
      'back\\slash',
      `quote ' " --`,
      'smile 😀',
      'DollaR $1',
    ];
    await createIssues(
      tenant,
      titles.map((title) => ({ title, metadata: {}, message: '' })),
    );
    for (const title of titles) expect(await searchTitles(tenant, { text: [title] })).toEqual([title]);
    expect(await searchTitles(tenant, { text: ['%'] })).toEqual(['50% off']);
    expect(await searchTitles(tenant, { text: ['_'] })).toEqual(['a_b']);
    expect(await searchTitles(tenant, { text: ['\\'] })).toEqual(['back\\slash']);
    expect(await searchTitles(tenant, { text: ['😀'] })).toEqual(['smile 😀']);
    expect(await searchTitles(tenant, { text: ['smile \u0000😀'] })).toEqual(['smile 😀']);
  });

  test('text is that of the newest event', async () => {
    const tenant = await stores.createTenant();
    const groupingHash = hashOf('changing');
    await stores.assignNext([makeEvent({ ...tenant, groupingHash, title: 'before' })]);
    await stores.assignNext([
      makeEvent({ ...tenant, groupingHash, title: 'after', occurredAt: NOON_MS + 1 }),
    ]);
    await stores.assignNext([
      makeEvent({ ...tenant, groupingHash, title: 'long ago', occurredAt: NOON_MS - 1 }),
    ]);
    expect(await searchTitles(tenant, { text: ['after'] })).toEqual(['after']);
    expect(await searchTitles(tenant, { text: ['before'] })).toEqual([]);
    expect(await searchTitles(tenant, { text: ['long ago'] })).toEqual([]);
  });

  test('the time of a search is half-open, on the last event', async () => {
    const tenant = await stores.createTenant();
    await createIssues(tenant, [
      { title: 'early', occurredAt: NOON_MS - 1 },
      { title: 'first', occurredAt: NOON_MS },
      { title: 'last', occurredAt: NOON_MS + HOUR_MS - 1 },
      { title: 'late', occurredAt: NOON_MS + HOUR_MS },
    ]);
    const seen = { fromMs: NOON_MS, toMs: NOON_MS + HOUR_MS };
    expect(await searchTitles(tenant, { seen })).toEqual(['first', 'last']);
  });

  test('lists of a filter are a conjunction', async () => {
    const tenant = await stores.createTenant();
    await createIssues(tenant, [
      { title: 'both', level: 'fatal', release: 'A' },
      { title: 'level only', level: 'fatal', release: 'B' },
      { title: 'release only', level: 'info', release: 'A' },
    ]);
    expect(await searchTitles(tenant, { levels: ['fatal'], releases: ['A'] })).toEqual(['both']);
  });

  test.for(['date', 'new', 'freq', 'priority'] as const)(
    'pages sorted by %s neither skip nor repeat, also among equals, and lead back',
    async (sort) => {
      const tenant = await stores.createTenant();
      const issues = await createIssues(
        tenant,
        Array.from({ length: 23 }, (_, index) => ({
          title: `issue ${index}`,
          occurredAt: NOON_MS + (index % 4) * MINUTE_MS,
          times: 1 + (index % 3),
        })),
      );
      const ranks = ['low', 'medium', 'high'] as const;
      for (const [index, issue] of issues.entries()) {
        await stores.issues.update(
          tenant.organizationId,
          [issue.id],
          { priority: ranks[index % 3]! },
          null,
          NOON_MS,
        );
      }
      const value = (issue: Issue) =>
        ({
          date: issue.lastSeen,
          new: issue.firstSeen,
          freq: issue.timesSeen,
          priority: (issues.indexOf(issue) % 3) * 1e13 + issue.lastSeen,
        })[sort];
      const expected = [...issues]
        .sort((a, b) => value(b) - value(a) || b.id - a.id)
        .map((issue) => issue.id);
      for (const limit of [1, 4, 23, 50]) {
        const seen: number[] = [];
        const read = (from: IssuePlace | null) =>
          stores.issues.search(tenant.organizationId, [tenant.projectId], EVERYTHING, { sort, limit, from });
        let page = await read(null);
        expect(page.previous).toBeNull();
        const pages = [page];
        while (page.next) {
          page = await read(page.next);
          pages.push(page);
        }
        for (const { issues: some } of pages) {
          expect(some.length).toBeLessThanOrEqual(limit);
          seen.push(...some.map((issue) => issue.id));
        }
        expect(seen).toEqual(expected);
        const idsOf = ({ issues: some }: IssuePage) => some.map(({ id }) => id);
        for (const before of pages.slice(0, -1).reverse()) {
          page = await read(page.previous);
          expect(idsOf(page)).toEqual(idsOf(before));
        }
        expect(page.previous).toBeNull();
      }
    },
  );

  test('counting stops at its bound', async () => {
    const tenant = await stores.createTenant();
    await createIssues(
      tenant,
      Array.from({ length: 7 }, () => ({})),
    );
    const none: IssueExpression = { kind: 'hashes', hashes: [] };
    const count = (projectIds: readonly number[], max: number) =>
      stores.issues.countEach(tenant.organizationId, projectIds, [EVERYTHING, none, EVERYTHING], max);
    expect(await count([tenant.projectId], 100)).toEqual([7, 0, 7]);
    expect(await count([tenant.projectId], 5)).toEqual([5, 0, 5]);
    expect(await count([], 5)).toEqual([0, 0, 0]);
    expect(await stores.issues.countEach(tenant.organizationId, [tenant.projectId], [], 5)).toEqual([]);
  });

  test('no read or change crosses organizations, and only the given projects are searched', async () => {
    const [mine, theirs] = [await stores.createTenant(), await stores.createTenant()];
    const second = await stores.createProject(mine.organizationId, 'second');
    const [own] = await createIssues(mine, [{ title: 'mine' }]);
    await createIssues(second, [{ title: 'mine too', groupingHash: hashOf('second') }]);
    const [foreign] = await createIssues(theirs, [{ title: 'theirs', groupingHash: hashOf('foreign') }]);
    const both = [mine.projectId, theirs.projectId];
    const org = mine.organizationId;

    expect(await searchTitles(mine, {}, both)).toEqual(['mine']);
    expect(await searchTitles(mine, {}, [mine.projectId, second.projectId])).toEqual(['mine', 'mine too']);
    expect(await searchTitles(mine, {}, [theirs.projectId])).toEqual([]);
    expect(await searchTitles(mine, {}, [])).toEqual([]);
    const found = await stores.issues.findByIds(org, [own!.id, foreign!.id]);
    expect(found.map((issue) => issue.id)).toEqual([own!.id]);
    expect(await stores.issues.findByShortId(org, foreign!.shortId)).toBeNull();
    expect(await stores.issues.findByHash(org, theirs.projectId, hashOf('foreign'))).toBeNull();
    expect([...(await stores.issues.listHashes(org, [own!.id, foreign!.id])).keys()]).toEqual([own!.id]);
    expect(await stores.issues.listActivity(org, foreign!.id, 10)).toEqual([]);
    const change = { status: 'resolved' } as const;
    const before = await stores.issues.update(org, [own!.id, foreign!.id], change, null, NOON_MS);
    expect(before.map((issue) => issue.id)).toEqual([own!.id]);
    expect(await stores.listIssues(theirs)).toMatchObject([{ status: 'unresolved' }]);
  });

  test('an issue is found by its short id in upper and lower case, by number, and by hash', async () => {
    const tenant = await stores.createTenant();
    const [issue] = await createIssues(tenant, [{ groupingHash: hashOf('find me') }]);
    const org = tenant.organizationId;
    expect(await stores.issues.findByShortId(org, issue!.shortId)).toEqual(issue);
    expect(await stores.issues.findByShortId(org, issue!.shortId.toLowerCase())).toEqual(issue);
    expect(await stores.issues.findByShortId(org, 'WEB-NOPE')).toBeNull();
    expect(await stores.issues.findByShortId(org, HOSTILE_TEXT)).toBeNull();
    expect(await stores.issues.findByIds(org, [issue!.id])).toEqual([issue]);
    expect(await stores.issues.findByIds(org, [])).toEqual([]);
    expect(await stores.issues.findByHash(org, tenant.projectId, hashOf('find me'))).toEqual(issue);
    expect(await stores.issues.findByHash(org, tenant.projectId, hashOf('nobody'))).toBeNull();
    expect(await stores.issues.listHashes(org, [issue!.id])).toEqual(
      new Map([[issue!.id, [hashOf('find me')]]]),
    );
  });

  test('resolving, archiving and opening again say so once, and answer how it was before', async () => {
    const tenant = await stores.createTenant();
    const user = await stores.createUser('Ada');
    const [issue] = await createIssues(tenant, [{}]);
    const change = (to: Parameters<typeof stores.issues.update>[2], atMs: number) =>
      stores.issues.update(tenant.organizationId, [issue!.id], to, user, atMs);
    const now = async () => (await stores.listIssues(tenant))[0];

    expect(await change({ status: 'resolved' }, NOON_MS + 1)).toEqual([issue]);
    expect(await now()).toMatchObject({ status: 'resolved', substatus: null, resolvedAt: NOON_MS + 1 });
    expect(await change({ status: 'resolved' }, NOON_MS + 2)).toMatchObject([{ status: 'resolved' }]);
    expect(await now()).toMatchObject({ resolvedAt: NOON_MS + 1 });
    await change({ status: 'unresolved' }, NOON_MS + 3);
    expect(await now()).toMatchObject({ status: 'unresolved', substatus: 'ongoing', resolvedAt: null });
    await change({ status: 'archived' }, NOON_MS + 4);
    expect(await now()).toMatchObject({ status: 'archived', substatus: 'archived_until_escalating' });
    await change({ status: 'archived', substatus: 'archived_forever' }, NOON_MS + 5);
    expect(await now()).toMatchObject({ status: 'archived', substatus: 'archived_forever' });
    await change({ status: issue!.status, substatus: issue!.substatus }, NOON_MS + 6);
    expect(await now()).toEqual({ ...issue, substatusAt: expect.any(Number) });

    const activity = await stores.issues.listActivity(tenant.organizationId, issue!.id, 10);
    expect(activity.map(({ type, at }) => [type, at - NOON_MS])).toEqual([
      ['set_unresolved', 6],
      ['set_archived', 5],
      ['set_archived', 4],
      ['set_unresolved', 3],
      ['set_resolved', 1],
      ['first_seen', 0],
    ]);
    expect(activity[0]).toMatchObject({ issueId: issue!.id, user: { id: user, name: 'Ada' } });
    expect(await stores.issues.listActivity(tenant.organizationId, issue!.id, 2)).toEqual(
      activity.slice(0, 2),
    );
  });

  test('assigning and unassigning say so once, together with a change of status', async () => {
    const tenant = await stores.createTenant();
    const ada = await stores.createUser('Ada');
    const issues = await createIssues(tenant, [{}, {}]);
    await update(tenant, issues.slice(0, 1), { assigneeUserId: ada });
    await update(tenant, issues, { assigneeUserId: ada, status: 'resolved' });
    expect(await stores.listIssues(tenant)).toMatchObject([
      { assignee: { userId: ada, name: 'Ada', email: `${ada}@example.com` }, status: 'resolved' },
      { assignee: { userId: ada }, status: 'resolved' },
    ]);
    await update(tenant, issues, { assigneeUserId: null });
    expect(await stores.listIssues(tenant)).toMatchObject([{ assignee: null }, { assignee: null }]);
    const types = async (issue: Issue) =>
      (await stores.issues.listActivity(tenant.organizationId, issue.id, 10)).map(({ type }) => type).sort();
    expect(await types(issues[0]!)).toEqual(['assigned', 'first_seen', 'set_resolved', 'unassigned']);
    expect(await types(issues[1]!)).toEqual(['assigned', 'first_seen', 'set_resolved', 'unassigned']);
  });

  test('people who resolve the same issue at once write one activity', async () => {
    const tenant = await stores.createTenant();
    const [issue] = await createIssues(tenant, [{}]);
    const rounds = 5;
    for (let round = 0; round < rounds; round++) {
      await Promise.all(Array.from({ length: 6 }, () => update(tenant, [issue!], { status: 'resolved' })));
      await update(tenant, [issue!], { status: 'unresolved' });
    }
    const activity = await stores.issues.listActivity(tenant.organizationId, issue!.id, 100);
    expect(activity.filter(({ type }) => type === 'set_resolved')).toHaveLength(rounds);
  });

  test('new issues become ongoing after their time, a bounded number per call', async () => {
    const tenant = await stores.createTenant();
    const longAgoMs = NOON_MS - 400 * DAY_MS;
    const issues = await createIssues(tenant, [
      { occurredAt: longAgoMs },
      { occurredAt: longAgoMs },
      { occurredAt: longAgoMs },
      { occurredAt: NOON_MS },
    ]);
    await update(tenant, issues.slice(2, 3), { status: 'resolved' });
    const beforeMs = longAgoMs + DAY_MS;
    expect(await stores.issues.ageNewIssues(beforeMs, 1)).toBe(1);
    expect(await stores.issues.ageNewIssues(beforeMs, 100)).toBe(1);
    expect(await stores.issues.ageNewIssues(beforeMs, 100)).toBe(0);
    expect((await stores.listIssues(tenant)).map((issue) => issue.substatus)).toEqual([
      'ongoing',
      'ongoing',
      null,
      'new',
    ]);
    const activity = await stores.issues.listActivity(tenant.organizationId, issues[0]!.id, 10);
    expect(activity.map(({ type }) => type)).toContain('auto_set_ongoing');
  });

  test('a filter that asks for nothing in particular finds everything', async () => {
    const tenant = await stores.createTenant();
    await createIssues(tenant, [{ title: 'one' }, { title: 'two' }]);
    expect(await searchTitles(tenant, {})).toEqual(['one', 'two']);
  });
});
