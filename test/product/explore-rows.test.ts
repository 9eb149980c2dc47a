import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Organization, Project } from '#domain/projects.ts';
import { chartRows, groupRows, listRows, type RowQuestion } from '#product/explore/rows/explored-rows.ts';
import { listRowFields, listRowValues } from '#product/explore/rows/row-fields.ts';
import { suggestRowSearch } from '#product/explore/rows/suggest-row-search.ts';
import { HOUR_MS, MINUTE_MS, NOON_MS } from '../contract/sample-events.ts';
import { makeRow } from '../contract/sample-telemetry.ts';
import { openProduct, type Product } from './open-product.ts';

const RANGE = { fromMs: NOON_MS - HOUR_MS, toMs: NOON_MS + HOUR_MS };

describe('questions about stored rows', () => {
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
    const other = await product.createOrganization();
    const span = (project: Project, ms: number, index: number) =>
      makeRow('spans', {
        organizationId: project === web || project === api ? organization.id : other.id,
        projectId: project.id,
        startedAtUs: (NOON_MS + index * MINUTE_MS) * 1_000,
        durationUs: ms * 1_000,
        op: 'http.server',
        name: index % 2 === 0 ? 'GET /cart' : 'POST /pay',
        segmentName: index % 2 === 0 ? 'GET /cart' : 'POST /pay',
        isSegment: index < 4,
        status: index === 3 ? 'internal_error' : 'ok',
        environment: index < 3 ? 'production' : 'staging',
        attributes: { 'http.response.status_code': index === 3 ? 500 : 200, 'cart.size': index },
      });
    await product.stores.telemetry.insert(
      {
        spans: [10, 20, 30, 40, 50, 60].map((ms, index) => span(index < 4 ? web : api, ms, index)),
        logs: ['info', 'error'].map((level, index) =>
          makeRow('logs', {
            organizationId: organization.id,
            projectId: web.id,
            level: level as 'info',
            body: `Order ${index} paid`,
            occurredAtUs: (NOON_MS + index) * 1_000,
          }),
        ),
      },
      'rows',
    );
  });
  afterAll(async () => {
    await product?.close();
  });

  const ask = (part: Partial<RowQuestion> = {}): RowQuestion => ({
    dataset: 'spans',
    query: '',
    projectSlugs: [],
    environments: [],
    range: RANGE,
    ...part,
  });
  const count = async (query: string, part: Partial<RowQuestion> = {}) => {
    const by = { groupBy: [], functions: ['count()'], sort: null, limit: 1, offset: 0 };
    const { groups } = await groupRows(viewer, ask({ query, ...part }), by);
    return groups[0]?.values[0];
  };

  test.each<[string, number]>([
    ['', 6],
    ['span.op:http.server', 6],
    ['!span.description:"GET /cart"', 3],
    ['span.description:GET*', 3],
    ['transaction:"POST /pay" is_transaction:true', 2],
    ['is_transaction:false', 2],
    ['span.duration:>30', 3],
    ['span.duration:>=0.03s', 4],
    ['!span.duration:>30ms', 3],
    ['span.duration:30', 1],
    ['http.response.status_code:>=500', 1],
    ['http.response.status_code:500', 1],
    ['tags[cart.size,number]:<2', 2],
    ['cart.size:[1, 2]', 2],
    ['has:cart.size', 6],
    ['!has:nothing', 6],
    ['project:api', 2],
    ['!project:[api]', 4],
    ['span.status:internal_error OR cart.size:0', 2],
    ['(span.status:ok AND cart.size:>3) OR pay', 4],
    ['timestamp:>2020-01-01', 6],
    ['span.description:/cart', 0],
    ['"POST /"', 3],
  ])('%s finds %d', async (query, expected) => {
    expect(await count(query)).toBe(expected);
  });

  test.each<[string, 'spans' | 'logs', readonly string[]]>([
    ['span.o', 'spans', ['span.op:']],
    ['cart', 'spans', ['cart.size:']],
    ['is_transaction:', 'spans', ['true', 'false']],
    ['span.duration:', 'spans', ['>100ms', '>1s', '>5s']],
    ['timestamp:', 'spans', ['-1h', '-24h', '-7d']],
    ['level:err', 'logs', ['error']],
    ['level:', 'logs', ['trace', 'debug', 'info', 'warn', 'error', 'fatal']],
    ['environment:', 'spans', ['production', 'staging']],
    ['span.description:GET', 'spans', ['"GET /cart"']],
    ['has:cart', 'spans', ['cart.size']],
  ])('the search %s goes on', async (query, dataset, expected) => {
    const asked = { dataset, query, caret: query.length, projectSlugs: [], range: RANGE };
    const suggested = await suggestRowSearch(viewer, asked);
    const texts = suggested?.items.map(({ text }) => text) ?? [];
    expect(texts.filter((text) => expected.includes(text)).sort()).toEqual([...expected].sort());
    expect(suggested).toMatchObject({ end: query.length });
  });

  test.each<[string, RegExp]>([
    ['span.duration:fast', /needs a (?:duration|number)/],
    ['is_transaction:maybe', /needs true or false/],
    ['cart.size:>many', /needs a number after the sign/],
    ['project:wbe', /did you mean "web"/],
    ['p95(span.duration):>5', /filters groups/],
  ])('%s is refused', async (query, problem) => {
    await expect(count(query)).rejects.toThrow(problem);
  });

  test('environments and projects narrow down', async () => {
    expect(await count('', { environments: ['production'] })).toBe(3);
    expect(await count('', { projectSlugs: ['api'] })).toBe(2);
    await expect(count('', { projectSlugs: ['hidden'] })).rejects.toThrow(/hidden/);
  });

  test('numbers by several fields, with the project by its slug', async () => {
    const { groups, distinct, hasMore, functions } = await groupRows(viewer, ask(), {
      groupBy: ['project', 'transaction'],
      functions: ['count()', 'p50(span.duration)', 'failure_rate()', 'epm()', 'apdex(20)'],
      sort: '-p50_span_duration',
      limit: 3,
      offset: 0,
    });
    expect(functions.map(({ type }) => type)).toEqual([
      'integer',
      'duration',
      'percentage',
      'rate',
      'number',
    ]);
    expect([distinct, hasMore]).toEqual([4, true]);
    expect(groups.map(({ keys, values }) => [...keys, ...values.slice(0, 3)])).toEqual([
      ['api', 'POST /pay', 1, 60, 0],
      ['api', 'GET /cart', 1, 50, 0],
      ['web', 'POST /pay', 2, 30, 0.5],
    ]);
    expect(groups[2]?.values[3]).toBeCloseTo(2 / 120);
  });

  test.each<[string[], string[], string | null, RegExp]>([
    [[], [], null, /from 1 to/],
    [[], ['median()'], null, /is not available for spans: choose one of count/],
    [[], ['count'], null, /is not a function/],
    [['timestamp'], ['count()'], null, /grouped by timestamp/],
    [['transaction'], ['count()'], '-p95()', /not in the table/],
    [[...'abcdefghijk'], ['count()'], null, /at most 10 fields/],
    [[], ['percentile(span.duration)'], null, /between 0 and 1/],
  ])('%j %j sorted by %s is refused', async (groupBy, functions, sort, problem) => {
    const asked = groupRows(viewer, ask(), { groupBy, functions, sort, limit: 1, offset: 0 });
    await expect(asked).rejects.toThrow(problem);
  });

  test('a chart has a line for each of the largest groups', async () => {
    const { series, bucketMs } = await chartRows(viewer, ask(), {
      groupBy: ['transaction'],
      functions: ['sum(cart.size)', 'count()'],
      sort: null,
      top: 1,
    });
    expect(series.map(({ keys }) => keys)).toEqual([['POST /pay']]);
    expect(series[0]?.values[1]?.reduce((sum, value) => (sum ?? 0) + (value ?? 0), 0)).toBe(3);
    expect(bucketMs).toBe(5 * MINUTE_MS);
  });

  test('rows are listed page by page, by time and by a field', async () => {
    const fields = ['span.description', 'project', 'timestamp', 'cart.size'];
    const first = await listRows(viewer, ask(), { fields, sort: '-timestamp', limit: 4, cursor: null });
    expect(first.rows[0]).toMatchObject({
      projectSlug: 'api',
      values: ['POST /pay', 'api', new Date(NOON_MS + 5 * MINUTE_MS).toISOString(), '5'],
    });
    const rest = await listRows(viewer, ask(), {
      fields,
      sort: '-timestamp',
      limit: 4,
      cursor: first.nextCursor,
    });
    expect([rest.rows.length, rest.nextCursor]).toEqual([2, null]);
    const slow = await listRows(viewer, ask(), { fields, sort: '-span.duration', limit: 5, cursor: null });
    const fastest = await listRows(viewer, ask(), {
      fields,
      sort: '-span.duration',
      limit: 5,
      cursor: slow.nextCursor,
    });
    expect([slow.rows[0]?.values[3], fastest.rows.map(({ values }) => values[3])]).toEqual(['5', ['0']]);
  });

  test('fields with what they hold, and values of one', async () => {
    const fields = await listRowFields(viewer, { dataset: 'spans', projectSlugs: [], range: RANGE });
    expect(fields).toContainEqual({ name: 'span.duration', type: 'number', isColumn: true });
    expect(fields).toContainEqual({ name: 'cart.size', type: 'number', isColumn: false });
    const asked = {
      dataset: 'logs',
      projectSlugs: [],
      range: RANGE,
      field: 'severity',
      part: 'err',
    } as const;
    expect(await listRowValues(viewer, asked)).toEqual([{ value: 'error', count: 1 }]);
    expect(await listRowValues(viewer, { ...asked, field: 'project', part: 'we' })).toMatchObject([
      { value: 'web' },
    ]);
  });
});
