import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Organization, Project } from '#domain/projects.ts';
import { getTransactionSummary, totalOf } from '#product/performance/get-transaction-summary.ts';
import { getWebVitals } from '#product/performance/get-web-vitals.ts';
import { listModule, listTransactions } from '#product/performance/list-performance.ts';
import type { PerformanceQuestion } from '#product/performance/performance-search.ts';
import type { DigestedSpan } from '#protocol/telemetry.ts';
import { HOUR_MS, MINUTE_MS, NOON_MS } from '../contract/sample-events.ts';
import { makeRow } from '../contract/sample-telemetry.ts';
import { openProduct, type Product } from './open-product.ts';

/** What digest says of queries that differ in their values only. */
const WITHOUT_VALUES = { 'sentry.normalized_description': 'SELECT %s' };

const RANGE = { fromMs: NOON_MS - HOUR_MS, toMs: NOON_MS + HOUR_MS };
const PAGE = { sort: null, limit: 20, offset: 0 };
const CART = 'GET /cart "new" *';

describe('performance', () => {
  let product: Product;
  let organization: Organization;
  let web: Project;
  let viewer: Awaited<ReturnType<Product['join']>>;

  beforeAll(async () => {
    product = await openProduct();
    organization = await product.createOrganization();
    web = await product.createProject(organization, 'web');
    viewer = await product.join(organization, 'viewer');
    const span = (atMinute: number, part: Partial<DigestedSpan>): DigestedSpan =>
      makeRow('spans', {
        organizationId: organization.id,
        projectId: web.id,
        startedAtUs: (NOON_MS + atMinute * MINUTE_MS) * 1_000,
        environment: 'production',
        status: 'ok',
        attributes: {},
        ...part,
      });
    const carts = Array.from({ length: 60 }, (_, index) =>
      span(index / 2, {
        op: 'http.server',
        name: CART,
        segmentName: CART,
        isSegment: true,
        durationUs: (index + 1) * 10_000,
        status: index % 6 === 0 ? 'internal_error' : 'ok',
        release: index < 30 ? 'web@1' : 'web@2',
        userId: `user-${index % 4}`,
        attributes: { region: index >= 55 ? 'far' : 'near', 'cart.id': `cart-${index}` },
      }),
    );
    const below = (op: string, durationMs: number, attributes: DigestedSpan['attributes'] = {}, name = op) =>
      span(1, { op, name, segmentName: CART, durationUs: durationMs * 1_000, attributes });
    const vital = (attributes: DigestedSpan['attributes'], part: Partial<DigestedSpan> = {}) =>
      span(2, { op: 'pageload', name: '/shop', segmentName: '/shop', isSegment: true, attributes, ...part });
    await product.stores.telemetry.insert(
      {
        spans: [
          ...carts,
          below('db.sql.query', 100, WITHOUT_VALUES, 'SELECT 1'),
          below('db.sql.query', 300, WITHOUT_VALUES, 'SELECT 2'),
          below('dbx', 5, {}, 'no query'),
          below('http.client', 50, {}, 'GET https://pay.example.com'),
          ...[true, true, true, false].map((hit) => below('cache.get', 2, { 'cache.hit': hit })),
          below('cache.get', 2),
          below('cache.put', 3),
          below('queue.publish', 4, { 'messaging.destination.name': 'mail' }),
          ...[100, 300].map((wait) =>
            below('queue.process', 40, {
              'messaging.destination.name': 'mail',
              'messaging.message.receive.latency': wait,
            }),
          ),
          vital({ lcp: 2_500, cls: 0 }),
          vital({ lcp: 2_500, ttfb: 1_800 }),
          // As browsers send it: a root of its own, without a transaction.
          vital({ inp: 200 }, { op: 'ui.interaction.click', name: 'button' }),
        ],
      },
      'rows',
    );
  });
  afterAll(async () => {
    await product?.close();
  });

  const ask = (part: Partial<PerformanceQuestion> = {}): PerformanceQuestion => ({
    query: '',
    projectSlugs: [],
    environments: [],
    range: RANGE,
    ...part,
  });
  const summaryOf = async (part: Partial<Parameters<typeof getTransactionSummary>[1]> = {}) =>
    await getTransactionSummary(viewer, {
      query: '',
      environments: [],
      range: RANGE,
      projectSlug: 'web',
      transaction: CART,
      ...part,
    });

  test('each transaction with its numbers; interactions that browsers send by themselves are none', async () => {
    const { table, trend } = await listTransactions(viewer, ask(), PAGE);
    expect(table.groups.map(({ keys }) => keys)).toEqual([
      [CART, 'web'],
      ['/shop', 'web'],
    ]);
    const [perMinute, count, p50, , p95, , failureRate, apdex, users, total] = table.groups[0]?.values ?? [];
    expect({ perMinute, count, failureRate, apdex, users, total }).toEqual({
      perMinute: 0.5,
      count: 60,
      failureRate: 10 / 60,
      // 30 of up to 300 ms, 30 of up to 600 ms.
      apdex: (30 + 30 / 2) / 60,
      users: 4,
      total: 18_300,
    });
    expect([p50, p95]).toEqual([305, expect.closeTo(570.5)]);
    expect(table.groups[1]?.values[1]).toBe(2);
    const counts = trend.series[0]?.values[0] ?? [];
    expect(counts.reduce((sum: number, each) => sum + (each ?? 0), 0)).toBe(62);
  });

  test('sorted, searched, narrowed and paged', async () => {
    const names = async (part: Partial<PerformanceQuestion>, page = {}) => {
      const { table } = await listTransactions(viewer, ask(part), { ...PAGE, ...page });
      return [table.groups.map(({ keys }) => keys[0]), table.hasMore];
    };
    expect(await names({}, { sort: 'count()', limit: 1 })).toEqual([['/shop'], true]);
    expect(await names({}, { limit: 1, offset: 1 })).toEqual([['/shop'], false]);
    expect(await names({ query: 'region:far OR span.op:pageload' })).toEqual([[CART, '/shop'], false]);
    // Nothing else than transactions is found, whatever is searched for.
    expect(await names({ query: 'span.op:db* OR span.op:cache.*' })).toEqual([[], false]);
    expect(await names({ environments: ['staging'] })).toEqual([[], false]);
    await expect(names({ projectSlugs: ['hidden'] })).rejects.toThrow(/hidden/);
    await expect(names({ query: 'span.duration:fast' })).rejects.toThrow(/duration/);
  });

  test('a transaction: its releases, its spans, what the slowest have in common, and examples', async () => {
    const summary = await summaryOf();
    expect(totalOf(summary.totals, 'count()')).toBe(60);
    expect(summary.releases.groups.map(({ keys, values }) => [keys[0], values[0], values[1]])).toEqual([
      ['web@2', 30, 455],
      ['web@1', 30, 155],
    ]);
    expect(
      summary.spans.groups.slice(0, 2).map(({ keys, values }) => [...keys, values[0], values[3]]),
    ).toEqual([
      ['db.sql.query', 'SELECT %s', 2, 400],
      ['queue.process', 'queue.process', 2, 80],
    ]);
    expect(summary.slowness?.thresholdMs).toBeCloseTo(570.5);
    expect(summary.slowness).toMatchObject({ rows: 60, selected: 3 });
    expect(summary.slowness?.values).toEqual([
      { name: 'region', value: 'far', rows: 5, selected: 3 },
      { name: 'release', value: 'web@2', rows: 30, selected: 3 },
      { name: 'span.status', value: 'ok', rows: 50, selected: 3 },
    ]);
    expect(summary.examples.map(({ label, durationMs }) => [label, durationMs])).toEqual([
      ['Slowest', 600],
      ['Median', 300],
      ['Fastest', 10],
    ]);
  });

  test('a transaction that did not run, one of another project, and a search', async () => {
    expect(await summaryOf({ transaction: 'GET /none' })).toMatchObject({ slowness: null, examples: [] });
    await expect(summaryOf({ projectSlug: 'hidden' })).rejects.toThrow(/hidden/);
    const far = await summaryOf({ query: 'region:far' });
    expect(totalOf(far.totals, 'count()')).toBe(5);
    expect(far.examples.at(-1)?.durationMs).toBe(560);
  });

  test('web vitals: three quarters were at most as slow, and what that scores', async () => {
    const { overall, pages } = await getWebVitals(viewer, ask(), { ...PAGE, sort: null });
    expect(overall).toMatchObject({ count: 3, p75: { lcp: 2_500, inp: 200, cls: 0, ttfb: 1_800 } });
    expect(Object.keys(overall.p75)).not.toContain('fcp');
    // LCP and INP are at the limit of good, CLS is perfect, TTFB at the limit of poor.
    expect(overall.score).toBeCloseTo((90 * 30 + 90 * 30 + 100 * 15 + 50 * 10) / 85, 3);
    expect(pages).toMatchObject([{ transaction: '/shop', projectSlug: 'web', count: 3 }]);
    const none = await getWebVitals(viewer, ask({ environments: ['staging'] }), { ...PAGE, sort: null });
    expect(none).toMatchObject({ overall: { count: 0, p75: {}, score: null }, pages: [] });
  });

  test.each([
    ['queries', [['SELECT %s', 'web', 2]]],
    ['requests', [['GET https://pay.example.com', 'web', 1]]],
    [
      'caches',
      [
        [CART, 'cache.get', 'web', 5],
        [CART, 'cache.put', 'web', 1],
      ],
    ],
    [
      'queues',
      [
        ['mail', 'queue.process', 'web', 2],
        ['mail', 'queue.publish', 'web', 1],
      ],
    ],
  ] as const)('%s as groups of their spans', async (module, expected) => {
    const { table } = await listModule(viewer, ask(), module, PAGE);
    expect(table.groups.map(({ keys, values }) => [...keys, values[1]])).toEqual(expected);
  });

  test('hits of the lookups that say so, and how long messages waited', async () => {
    const caches = await listModule(viewer, ask(), 'caches', PAGE);
    expect(caches.table.groups.map(({ values }) => values[2])).toEqual([0.75, null]);
    const queues = await listModule(viewer, ask(), 'queues', PAGE);
    expect(queues.table.groups.map(({ values }) => values[2])).toEqual([200, null]);
    expect(queues.table.functions[2]?.type).toBe('duration');
  });
});
