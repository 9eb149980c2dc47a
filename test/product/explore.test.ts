import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Organization, Project } from '#domain/projects.ts';
import type { Question } from '#product/explore/open-question.ts';
import { chartRows, groupRows, listRows } from '#product/explore/rows/explored-rows.ts';
import { EXPORT_ROWS_MAX, exportRowGroups, exportRows } from '#product/explore/rows/export-rows.ts';
import { listRowFields } from '#product/explore/rows/row-fields.ts';
import { suggestSearch } from '#product/search/suggest/suggest-search.ts';
import { HOUR_MS, hashOf, MINUTE_MS, NOON_MS, newEventId } from '../contract/sample-events.ts';
import { testInFull } from '../harness/is-full.ts';
import { openProduct, type Product } from './open-product.ts';

const RANGE = { fromMs: NOON_MS - 24 * HOUR_MS, toMs: NOON_MS + HOUR_MS };

describe('questions about stored events', () => {
  let product: Product;
  let organization: Organization;
  let web: Project;
  let api: Project;
  let viewer: Awaited<ReturnType<Product['join']>>;

  beforeAll(async () => {
    product = await openProduct();
    organization = await product.createOrganization();
    web = await product.createProject(organization, 'web');
    api = await product.createProject(organization, 'api');
    viewer = await product.join(organization, 'viewer');
    const events = [...'aaabbc'].map((plan, index) => ({
      projectId: plan === 'c' ? api.id : web.id,
      title: `Title ${plan}`,
      groupingHash: hashOf(`explore ${plan}`),
      occurredAt: NOON_MS - index * MINUTE_MS,
      environment: plan === 'a' ? 'production' : 'staging',
      release: `web@${plan}`,
      user: { id: index < 2 ? 'ann' : `u${index}`, email: null, username: null, ip: null },
      tags: [
        ['size', String(index)],
        ...(plan === 'c' ? [] : [['plan', plan === 'a' ? '=a, "quoted"' : plan]]),
      ] as [string, string][],
      payload: {
        event_id: newEventId(),
        type: 'error' as const,
        level: 'error' as const,
        platform: 'javascript',
        timestamp: NOON_MS / 1000,
        received: NOON_MS / 1000,
        exception: {
          values: [
            { type: 'Outer', value: 'x', mechanism: { type: 'generic', handled: plan !== 'b' } },
            { type: 'Inner', value: 'y' },
          ],
        },
      },
    }));
    const stored = await product.ingest(organization, events);
    // As when a batch is sent again in other parts: copies until the store merges them.
    await product.stores.events.insertEvents(stored.slice(0, 3), 'sent again');
  });
  afterAll(async () => {
    await product?.close();
  });

  const ask = (part: Partial<Question> = {}) => ({
    dataset: 'errors' as const,
    query: '',
    projectSlugs: [],
    environments: [],
    range: RANGE,
    ...part,
  });

  const COUNTED = ['count()', 'count_unique(user)', 'first_seen()', 'last_seen()'];
  const group = async (
    groupBy: readonly string[],
    {
      sort = null,
      limit = 10,
      offset = 0,
      functions = COUNTED,
      ...part
    }: Partial<Question> & {
      sort?: string | null;
      limit?: number;
      offset?: number;
      functions?: readonly string[];
    } = {},
  ) => await groupRows(viewer, ask(part), { groupBy, functions, sort, limit, offset });
  const count = async (part: Partial<Question>) => (await group([], part)).groups[0]?.values[0];

  test('totals and a chart count each event and each user once', async () => {
    expect((await group([])).groups[0]?.values.slice(0, 2)).toEqual([6, 5]);
    const chart = await chartRows(viewer, ask(), {
      groupBy: ['environment'],
      functions: ['count()'],
      sort: null,
      top: 5,
    });
    const sums = chart.series.map(({ keys, values }) => [
      ...keys,
      values[0]?.reduce((sum, each) => (sum ?? 0) + (each ?? 0), 0),
    ]);
    expect(sums).toEqual([
      ['production', 3],
      ['staging', 3],
    ]);
    expect(await count({ query: 'release:web@b' })).toBe(2);
    expect(await count({ environments: ['production'] })).toBe(3);
    expect(await count({ projectSlugs: ['api'] })).toBe(1);
  });

  test('numbers of tags are calculated of each event once', async () => {
    const functions = ['avg(size)', 'sum(size)', 'p50(size)', 'p100(size)', 'max(size)', 'avg(plan)'];
    expect((await group([], { functions })).groups[0]?.values).toEqual([2.5, 15, 2.5, 5, 5, null]);
  });

  test('values of a field with their events, users, first and last time', async () => {
    const first = await group(['release'], { limit: 2 });
    expect(first.groups).toEqual([
      { keys: ['web@a'], values: [3, 2, NOON_MS - 2 * MINUTE_MS, NOON_MS] },
      { keys: ['web@b'], values: [2, 2, NOON_MS - 4 * MINUTE_MS, NOON_MS - 3 * MINUTE_MS] },
    ]);
    expect([first.distinct, first.hasMore]).toEqual([3, true]);
    const second = await group(['release'], { limit: 2, offset: 2 });
    expect([second.groups.map(({ keys }) => keys[0]), second.hasMore]).toEqual([['web@c'], false]);
    const values = async (field: string, sort = field) =>
      (await group([field], { sort })).groups.map(({ keys, values }) => `${keys[0]} ${values[0]}`);
    expect(await values('project')).toEqual(expect.arrayContaining(['web 5', 'api 1']));
    expect(await values('plan')).toEqual([' 1', '=a, "quoted" 3', 'b 2']);
    expect(await values('error.type')).toEqual(['Inner 6', 'Outer 6']);
    expect(await values('error.handled')).toEqual(['false 2', 'true 4']);
    expect(await values('release', 'last_seen()')).toEqual(['web@c 1', 'web@b 2', 'web@a 3']);
    expect(await values('user')).toEqual(['id:ann 2', 'id:u2 1', 'id:u3 1', 'id:u4 1', 'id:u5 1']);
  });

  test('groups by issue have its short id and its title', async () => {
    const { groups, issueTitles } = await group(['issue', 'environment']);
    expect(groups.map(({ keys, values }) => [issueTitles.get(keys[0] ?? ''), keys[1], values[0]])).toEqual([
      ['Title a', 'production', 3],
      ['Title b', 'staging', 2],
      ['Title c', 'staging', 1],
    ]);
    expect(groups[0]?.keys[0]).toMatch(/^WEB-/);
  });

  test('events with chosen columns, page by page, in every order', async () => {
    const fields = ['timestamp', 'issue', 'project', 'plan', 'error.type', 'error.handled', 'stack.lineno'];
    for (const sort of ['-timestamp', 'timestamp', '-plan']) {
      const seen: { title: string; at: number }[] = [];
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof listRows>> = await listRows(viewer, ask(), {
          fields: ['title', ...fields],
          sort,
          limit: 4,
          cursor,
        });
        seen.push(...page.rows.map(({ values, occurredAtUs }) => ({ title: values[0]!, at: occurredAtUs })));
        cursor = page.nextCursor;
      } while (cursor);
      expect(new Set(seen.map(({ at }) => at)).size).toBe(6);
      const sorted = [...seen].sort((a, b) => a.at - b.at);
      if (sort === 'timestamp') expect(seen).toEqual(sorted);
      if (sort === '-timestamp') expect(seen).toEqual(sorted.reverse());
      if (sort === '-plan') expect(seen.map(({ title }) => title.at(-1)).join('')).toMatch(/^bbaaac$/);
    }
    const page = { fields, sort: '-timestamp', limit: 1, cursor: null };
    const [row] = (await listRows(viewer, ask({ query: 'plan:b' }), page)).rows;
    expect(row?.shortId).toMatch(/^WEB-/);
    expect(row?.values).toEqual([
      new Date(NOON_MS - 3 * MINUTE_MS).toISOString(),
      row?.shortId,
      'web',
      'b',
      'Inner, Outer',
      'false',
      '',
    ]);
  });

  test('exports are whole, and bounded', async () => {
    const table = await exportRows(viewer, ask(), { fields: ['title', 'plan'], sort: 'timestamp' });
    expect(table.head).toEqual(['id', 'trace', 'title', 'plan']);
    const rows = await collect(table.rows);
    expect(rows.map((row) => row[2])).toEqual(['c', 'b', 'b', 'a', 'a', 'a'].map((plan) => `Title ${plan}`));
    expect(EXPORT_ROWS_MAX).toBe(10_000);
    const groups = await exportRowGroups(viewer, ask(), {
      groupBy: ['plan'],
      functions: COUNTED,
      sort: '-count()',
    });
    expect((await collect(groups.rows)).map((row) => row.slice(0, 3))).toEqual([
      ['=a, "quoted"', '3', '2'],
      ['b', '2', '2'],
      ['', '1', '1'],
    ]);
  });

  testInFull('names that columns can have, the tags among them', async () => {
    const fields = (await listRowFields(viewer, { dataset: 'errors', projectSlugs: [], range: RANGE })).map(
      ({ name }) => name,
    );
    expect(fields).toEqual(expect.arrayContaining(['timestamp', 'issue', 'project', 'user.email', 'plan']));
    expect(fields).not.toContain('is');
    // Each of them can be a column.
    const page = { sort: '-timestamp', limit: 1, cursor: null };
    for (const field of fields) {
      const { rows } = await listRows(viewer, ask(), { ...page, fields: [field] });
      expect(rows[0]?.values, field).toHaveLength(1);
    }
  });

  test('the search offers keys that events have, and none of issues', async () => {
    const offered = async (subject: 'issues' | 'events') => {
      const found = await suggestSearch(viewer, { query: 'i', caret: 1, projectSlugs: [], subject });
      return found?.items.map(({ label }) => label) ?? [];
    };
    expect(await offered('issues')).toEqual(expect.arrayContaining(['is', 'issue']));
    expect(await offered('events')).toContain('issue');
    expect(await offered('events')).not.toContain('is');
  });

  test('suggested values carry how many events of the page have them, each counted once', async () => {
    const offered = async (query: string, part: Partial<Question> = {}) => {
      const { range, environments, projectSlugs } = ask(part);
      const input = { query, caret: query.length, range, environments, projectSlugs };
      const found = await suggestSearch(viewer, { ...input, subject: 'events' });
      return found?.items.map(({ label, events }) => [label, events]).sort();
    };
    expect(await offered('plan:')).toEqual([
      ['=a, "quoted"', 3],
      ['b', 2],
    ]);
    expect(await offered('environment:')).toEqual([
      ['production', 3],
      ['staging', 3],
    ]);
    expect(await offered('environment:', { projectSlugs: ['api'] })).toEqual([['staging', 1]]);
    expect(await offered('plan:', { environments: ['staging'] })).toEqual([['b', 2]]);
    expect(await offered('plan:', { range: { fromMs: 0, toMs: HOUR_MS } })).toEqual([]);
    expect(await offered('error.handled:')).toEqual([
      ['false', null],
      ['true', null],
    ]);
  });

  test('what cannot be asked says why', async () => {
    const list = (fields: readonly string[], query = '') =>
      listRows(viewer, ask({ query }), { fields, sort: '-timestamp', limit: 1, cursor: null });
    await expect(list(Array.from({ length: 21 }, (_, index) => `tag${index}`))).rejects.toThrow(/at most 20/);
    await expect(list(['transaction.duration'])).rejects.toThrow(/transactions/);
    await expect(list([], 'is:unresolved')).rejects.toThrow(/applies to issues/);
    await expect(group(['timestamp'])).rejects.toThrow(/grouped/);
    await expect(group([], { functions: ['failure_rate()'] })).rejects.toThrow(/not available for errors/);
    await expect(group([], { functions: ['p95()'] })).rejects.toThrow(/Name the attribute/);
    await expect(group(['plan'], { offset: 20_000 })).rejects.toThrow(/narrow/);
    await expect(count({ projectSlugs: ['nope'] })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('another organization sees nothing', async () => {
    const other = await product.createOrganization();
    await product.createProject(other, 'web');
    const stranger = await product.join(other, 'owner');
    const by = { groupBy: [], functions: ['count()'], sort: null, limit: 1, offset: 0 };
    expect((await groupRows(stranger, ask(), by)).groups[0]?.values).toEqual([0]);
  });
});

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
