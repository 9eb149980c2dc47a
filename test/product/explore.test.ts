import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Organization, Project } from '#domain/projects.ts';
import { listExploreFields } from '#product/explore/explore-fields.ts';
import {
  countExploredEvents,
  groupExploredEvents,
  listExploredEvents,
  type Question,
} from '#product/explore/explored-events.ts';
import {
  EXPORT_ROWS_MAX,
  exportExploredEvents,
  exportGroups,
} from '#product/explore/export-explored-events.ts';
import { suggestSearch } from '#product/search/suggest/suggest-search.ts';
import { HOUR_MS, hashOf, MINUTE_MS, NOON_MS, newEventId } from '../contract/sample-events.ts';
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
      tags: plan === 'c' ? [] : ([['plan', plan === 'a' ? '=a, "quoted"' : plan]] as [string, string][]),
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

  const ask = (part: Partial<Question> = {}): Question => ({
    query: '',
    projectSlugs: [],
    environments: [],
    range: RANGE,
    ...part,
  });

  test('the trend counts each event and each user once', async () => {
    const trend = await countExploredEvents(viewer, ask());
    expect([trend.events, trend.users]).toEqual([6, 5]);
    expect(trend.buckets.reduce((sum, count) => sum + count, 0)).toBe(6);
    expect(trend.buckets.length).toBe((trend.range.toMs - trend.range.fromMs) / trend.bucketMs);
    expect((await countExploredEvents(viewer, ask({ query: 'release:web@b' }))).events).toBe(2);
    expect((await countExploredEvents(viewer, ask({ environments: ['production'] }))).events).toBe(3);
    expect((await countExploredEvents(viewer, ask({ projectSlugs: ['api'] }))).events).toBe(1);
  });

  test('values of a field with their events, users, first and last time', async () => {
    const by = { field: 'release', sort: 'events', isDescending: true, limit: 2, offset: 0 } as const;
    const first = await groupExploredEvents(viewer, ask(), by);
    expect(first).toEqual({
      groups: [
        { value: 'web@a', events: 3, users: 2, firstSeen: NOON_MS - 2 * MINUTE_MS, lastSeen: NOON_MS },
        {
          value: 'web@b',
          events: 2,
          users: 2,
          firstSeen: NOON_MS - 4 * MINUTE_MS,
          lastSeen: NOON_MS - 3 * MINUTE_MS,
        },
      ],
      distinct: 3,
      hasMore: true,
    });
    const second = await groupExploredEvents(viewer, ask(), { ...by, offset: 2 });
    expect([second.groups.map((group) => group.value), second.hasMore]).toEqual([['web@c'], false]);
    const values = async (field: string, sort: 'value' | 'last' | 'first' = 'value') =>
      (
        await groupExploredEvents(viewer, ask(), { ...by, field, sort, isDescending: false, limit: 10 })
      ).groups.map((group) => `${group.value} ${group.events}`);
    expect(await values('project')).toEqual(expect.arrayContaining(['web 5', 'api 1']));
    expect(await values('plan')).toEqual([' 1', '=a, "quoted" 3', 'b 2']);
    expect(await values('error.type')).toEqual(['Inner 6', 'Outer 6']);
    expect(await values('error.handled')).toEqual(['false 2', 'true 4']);
    expect(await values('release', 'last')).toEqual(['web@c 1', 'web@b 2', 'web@a 3']);
  });

  test('events with chosen columns, page by page, in both orders', async () => {
    const columns = ['timestamp', 'issue', 'project', 'plan', 'error.type', 'error.handled', 'stack.lineno'];
    for (const order of ['newest', 'oldest'] as const) {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page = await listExploredEvents(viewer, ask(), { columns, order, limit: 4, cursor });
        seen.push(...page.rows.map((row) => `${row.title} ${row.occurredAt}`));
        cursor = page.nextCursor;
      } while (cursor);
      expect(new Set(seen).size).toBe(6);
      const sorted = [...seen].sort((a, b) => Number(a.split(' ')[2]) - Number(b.split(' ')[2]));
      expect(seen).toEqual(order === 'oldest' ? sorted : sorted.reverse());
    }
    const { rows } = await listExploredEvents(viewer, ask({ query: 'plan:b' }), {
      columns,
      order: 'newest',
      limit: 1,
      cursor: null,
    });
    const issue = rows[0]?.shortId;
    expect(issue).toMatch(/^WEB-/);
    expect(rows[0]?.cells).toEqual([
      new Date(NOON_MS - 3 * MINUTE_MS).toISOString(),
      issue,
      'web',
      'b',
      'Inner, Outer',
      'false',
      '',
    ]);
  });

  test('exports are whole, and bounded', async () => {
    const table = await exportExploredEvents(viewer, ask(), { columns: ['plan'], order: 'oldest' });
    expect(table.head).toEqual(['event', 'title', 'plan']);
    const rows = await collect(table.rows);
    expect(rows.map((row) => row[1])).toEqual(['c', 'b', 'b', 'a', 'a', 'a'].map((plan) => `Title ${plan}`));
    expect(EXPORT_ROWS_MAX).toBe(10_000);
    const groups = await exportGroups(viewer, ask(), { field: 'plan', sort: 'events', isDescending: true });
    expect((await collect(groups.rows)).map((row) => row.slice(0, 3))).toEqual([
      ['=a, "quoted"', '3', '2'],
      ['b', '2', '2'],
      ['', '1', '1'],
    ]);
  });

  test('names that columns can have, the tags among them', async () => {
    const fields = await listExploreFields(viewer, { projectSlugs: [], range: RANGE });
    expect(fields).toEqual(expect.arrayContaining(['timestamp', 'issue', 'project', 'user.email', 'plan']));
    expect(fields).not.toContain('is');
    // Each of them can be a column.
    const page = { order: 'newest', limit: 1, cursor: null } as const;
    for (const field of fields) {
      const { rows } = await listExploredEvents(viewer, ask(), { ...page, columns: [field] });
      expect(rows[0]?.cells, field).toHaveLength(1);
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
    const list = (columns: readonly string[], query = '') =>
      listExploredEvents(viewer, ask({ query }), { columns, order: 'newest', limit: 1, cursor: null });
    await expect(list(Array.from({ length: 13 }, (_, index) => `tag${index}`))).rejects.toThrow(/at most 12/);
    await expect(list(['transaction.duration'])).rejects.toThrow(/transactions/);
    await expect(list([], 'is:unresolved')).rejects.toThrow(/applies to issues/);
    const by = { sort: 'events', isDescending: true, limit: 1, offset: 0 } as const;
    await expect(groupExploredEvents(viewer, ask(), { ...by, field: 'issue' })).rejects.toThrow(/grouped/);
    await expect(
      groupExploredEvents(viewer, ask(), { ...by, field: 'plan', offset: 20_000 }),
    ).rejects.toThrow(/narrow/);
    await expect(countExploredEvents(viewer, ask({ projectSlugs: ['nope'] }))).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('another organization sees nothing', async () => {
    const other = await product.createOrganization();
    await product.createProject(other, 'web');
    const stranger = await product.join(other, 'owner');
    expect((await countExploredEvents(stranger, ask())).events).toBe(0);
  });
});

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
