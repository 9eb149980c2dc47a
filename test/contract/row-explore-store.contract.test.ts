import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRowExploreStore } from '#storage/clickhouse/explore/row-explore-store.ts';
import type { EventScope } from '#storage/ports/events.ts';
import type { Aggregate, AskedRows, RowColumn, RowCondition, RowField } from '#storage/ports/explore-rows.ts';
import { describeOnClickhouse } from './engines.ts';
import { HOUR_MS, MINUTE_MS, NOON_MS } from './sample-events.ts';
import { openTelemetry } from './telemetry-suite.ts';

const RANGE = { fromMs: NOON_MS - HOUR_MS, toMs: NOON_MS + HOUR_MS };
const row = (name: RowColumn): RowField => ({ kind: 'row', name });
const attribute = (name: string): RowField => ({ kind: 'rowAttribute', name });
const asking = (dataset: 'spans' | 'logs' | 'metrics', ...parts: RowCondition[]) => ({
  dataset,
  range: RANGE,
  expression: { kind: 'and' as const, parts },
});
const exactly = (field: RowField, text: string, isNegated = false): RowCondition => ({
  kind: 'text',
  field,
  matches: [{ kind: 'exact', text }],
  isNegated,
});

describeOnClickhouse('RowExploreStore', (engine) => {
  let telemetry: Awaited<ReturnType<typeof openTelemetry>>;
  let store: ReturnType<typeof createRowExploreStore>;
  let scope: EventScope;

  beforeAll(async () => {
    telemetry = await openTelemetry(engine);
    store = createRowExploreStore(telemetry.database);
    const { make, scope: own } = telemetry.start();
    scope = own;
    const spans = [10, 20, 30, 40, 1_000].map((ms, index) =>
      make('spans', {
        startedAtUs: (NOON_MS + index * MINUTE_MS) * 1_000,
        durationUs: ms * 1_000,
        op: index < 3 ? 'db' : 'http.server',
        name: index < 3 ? `SELECT ${index}` : 'GET /100%_checkout',
        status: index === 4 ? 'internal_error' : 'ok',
        userId: index < 2 ? 'ann' : 'bob',
        attributes: { 'db.rows': index, 'db.system': 'postgresql', cached: index === 0 },
      }),
    );
    await telemetry.insert({ spans });
    // As when a batch is sent again in other parts: copies until the store merges them.
    await telemetry.insert({ spans: spans.slice(1, 4) });
    await telemetry.insert({
      spans: [make('spans', { organizationId: 8, durationUs: 1 })],
      logs: ['info', 'error', 'error'].map((level, index) =>
        make('logs', {
          level: level as 'info',
          body: `Line ${index}`,
          occurredAtUs: (NOON_MS + index) * 1_000,
          attributes: { order: index },
        }),
      ),
      metrics: [1, 2, 3].map((value) => make('metrics', { name: 'cart.size', value })),
    });
  });
  afterAll(async () => {
    await telemetry?.database.close();
  });

  const aggregate = async (asked: AskedRows, aggregates: readonly Aggregate[], groupBy: RowField[] = []) =>
    await store.aggregate(scope, asked, {
      groupBy,
      aggregates,
      order: { by: { aggregate: 0 }, isDescending: true },
      limit: 10,
      offset: 0,
    });

  test('every function, over rows that were inserted twice', async () => {
    const { groups, distinct } = await aggregate(asking('spans'), [
      { kind: 'count' },
      { kind: 'rate', seconds: 10 },
      { kind: 'count_unique', field: row('user') },
      { kind: 'avg', field: row('duration') },
      { kind: 'sum', field: attribute('db.rows') },
      { kind: 'min', field: row('duration') },
      { kind: 'max', field: row('duration') },
      { kind: 'quantile', level: 0.5, field: row('duration') },
      { kind: 'failure_rate' },
      { kind: 'failure_count' },
      { kind: 'apdex', thresholdMs: 20 },
      { kind: 'last_seen' },
      { kind: 'avg', field: attribute('absent') },
      { kind: 'quantile', level: 0.5, field: attribute('absent') },
      { kind: 'quantile', level: 1, field: row('duration') },
      { kind: 'quantile', level: 0.5, field: attribute('db.rows') },
    ]);
    expect(distinct).toBe(1);
    expect(groups).toEqual([
      {
        keys: [],
        values: [
          5,
          0.5,
          2,
          220,
          10,
          10,
          1_000,
          30,
          0.2,
          1,
          (2 + 2 / 2) / 5,
          NOON_MS + 4 * MINUTE_MS,
          null,
          null,
          1_000,
          2,
        ],
      },
    ]);
  });

  test('no rows have no time, rather than the epoch', async () => {
    const { groups } = await aggregate(asking('spans', exactly(row('op'), 'absent')), [
      { kind: 'count' },
      { kind: 'first_seen' },
      { kind: 'last_seen' },
    ]);
    expect(groups).toEqual([{ keys: [], values: [0, null, null] }]);
  });

  test('groups by several fields, sorted, a page at a time', async () => {
    const { groups, distinct } = await aggregate(
      asking('spans'),
      [{ kind: 'count' }],
      [row('op'), attribute('cached')],
    );
    expect(distinct).toBe(3);
    expect(groups.map(({ keys, values }) => [...keys, ...values])).toEqual([
      ['db', 'false', 2],
      ['http.server', 'false', 2],
      ['db', 'true', 1],
    ]);
    const second = await store.aggregate(scope, asking('spans'), {
      groupBy: [row('op')],
      aggregates: [{ kind: 'count' }],
      order: { by: { key: 0 }, isDescending: true },
      limit: 1,
      offset: 1,
    });
    expect(second).toEqual({ groups: [{ keys: ['db'], values: [3] }], distinct: 2 });
  });

  test('a group without a value is last, whichever way it is sorted', async () => {
    for (const isDescending of [true, false]) {
      const { groups } = await store.aggregate(scope, asking('spans'), {
        groupBy: [row('op')],
        aggregates: [{ kind: 'avg', field: attribute(isDescending ? 'nothing' : 'db.rows') }],
        order: { by: { aggregate: 0 }, isDescending },
        limit: 10,
        offset: 0,
      });
      expect(groups.map(({ values }) => values[0])).toEqual(isDescending ? [null, null] : [1, 3.5]);
    }
  });

  test.each<[string, RowCondition, number]>([
    ['a text', exactly(row('op'), 'db'), 3],
    ['not a text', exactly(row('op'), 'db', true), 2],
    ['an attribute', exactly(attribute('db.system'), 'postgresql'), 5],
    ['a flag', exactly(attribute('cached'), 'true'), 1],
    ['a number as text', exactly(attribute('db.rows'), '3'), 1],
    ['a number', { kind: 'number', field: attribute('db.rows'), comparison: '>=', value: 3 }, 2],
    ['not a number', { kind: 'number', field: attribute('none'), comparison: '!=', value: 3 }, 5],
    ['a duration', { kind: 'number', field: row('duration'), comparison: '<', value: 30 }, 2],
    ['presence', { kind: 'present', field: attribute('cached'), isNegated: true }, 0],
    ['a moment', { kind: 'moment', comparison: '>', atMs: NOON_MS + MINUTE_MS }, 3],
    ['words', { kind: 'words', match: { kind: 'pattern', parts: ['', 'select', ''] }, isNegated: false }, 3],
    [
      'words of signs',
      { kind: 'words', match: { kind: 'pattern', parts: ['', '100%_C', ''] }, isNegated: false },
      2,
    ],
    ['other projects', { kind: 'projects', projectIds: [999], isNegated: false }, 0],
  ])('%s', async (_, condition, expected) => {
    const { groups } = await aggregate(asking('spans', condition), [{ kind: 'count' }]);
    expect(groups[0]?.values).toEqual([expected]);
  });

  test('series have every bucket: 0 of what is counted, and nothing of what is measured', async () => {
    const chart = {
      aggregates: [{ kind: 'count' }, { kind: 'max', field: row('duration') }],
      fromMs: NOON_MS - MINUTE_MS,
      bucketMs: 2 * MINUTE_MS,
    } as const;
    const asked = {
      ...asking('spans'),
      range: { fromMs: NOON_MS - MINUTE_MS, toMs: NOON_MS + 7 * MINUTE_MS },
    };
    expect(await store.series(scope, asked, { ...chart, groupBy: [], groups: [[]] })).toEqual([
      {
        keys: [],
        values: [
          [1, 2, 2, 0],
          [10, 30, 1_000, null],
        ],
      },
    ]);
    expect(
      await store.series(scope, asked, { ...chart, groupBy: [row('op')], groups: [['db'], ['x']] }),
    ).toEqual([
      {
        keys: ['db'],
        values: [
          [1, 2, 0, 0],
          [10, 30, null, null],
        ],
      },
      {
        keys: ['x'],
        values: [
          [0, 0, 0, 0],
          [null, null, null, null],
        ],
      },
    ]);
  });

  test('a series by several fields is of its own keys, not of others that share one with it', async () => {
    const series = await store.series(scope, asking('spans'), {
      aggregates: [{ kind: 'count' }],
      fromMs: RANGE.fromMs,
      bucketMs: 2 * HOUR_MS,
      groupBy: [row('op'), attribute('cached'), row('user')],
      groups: [
        ['http.server', 'false', 'bob'],
        ['db', 'true', 'ann'],
        ['db', 'true', 'bob'],
      ],
    });
    // The span of ("db", "false", "ann") has each of its values in one of the groups, and is in none.
    expect(series).toEqual([
      { keys: ['http.server', 'false', 'bob'], values: [[2]] },
      { keys: ['db', 'true', 'ann'], values: [[1]] },
      { keys: ['db', 'true', 'bob'], values: [[0]] },
    ]);
  });

  test('rows with their fields, by time and by a number, page by page', async () => {
    const page = { fields: [row('name'), attribute('db.rows')], limit: 2, offset: 0 };
    const byTime = { by: 'time', isDescending: true } as const;
    const first = await store.sample(scope, asking('spans'), { ...page, order: byTime, after: null });
    expect(first.hasMore).toBe(true);
    expect(first.rows.map(({ values }) => values)).toEqual([
      ['GET /100%_checkout', '4'],
      ['GET /100%_checkout', '3'],
    ]);
    const last = first.rows[1]!;
    const second = await store.sample(scope, asking('spans'), {
      ...page,
      order: byTime,
      after: { atUs: last.occurredAtUs, id: last.id },
      limit: 5,
    });
    expect(second.rows.map(({ values }) => values[1])).toEqual(['2', '1', '0']);
    expect(second.hasMore).toBe(false);
    const longest = await store.sample(scope, asking('spans'), {
      ...page,
      order: { by: row('duration'), isDescending: true },
      after: null,
      offset: 1,
    });
    expect(longest.rows.map(({ values }) => values[1])).toEqual(['3', '2']);
    const oldest = await store.sample(scope, asking('logs'), {
      ...page,
      fields: [row('body')],
      order: { by: 'time', isDescending: false },
      after: null,
    });
    expect(oldest.rows.map(({ values, traceId }) => [values[0], traceId])).toEqual([
      ['Line 0', null],
      ['Line 1', null],
    ]);
  });

  test('logs and metrics are asked alike', async () => {
    const logs = await aggregate(asking('logs'), [{ kind: 'count' }], [row('level')]);
    expect(logs.groups.map(({ keys, values }) => [...keys, ...values])).toEqual([
      ['error', 2],
      ['info', 1],
    ]);
    const metrics = await aggregate(asking('metrics', exactly(row('name'), 'cart.size')), [
      { kind: 'sum', field: row('value') },
    ]);
    expect(metrics.groups[0]?.values).toEqual([6]);
  });

  test('names of attributes with their types, and the values of one', async () => {
    expect(await store.listAttributes(scope, 'spans', RANGE, 10)).toEqual([
      { name: 'cached', type: 'flag' },
      { name: 'db.rows', type: 'number' },
      { name: 'db.system', type: 'text' },
    ]);
    expect(await store.listValues(scope, 'spans', RANGE, attribute('db.system'), 'GRES', 10)).toMatchObject([
      { value: 'postgresql' },
    ]);
    expect(await store.listValues(scope, 'logs', RANGE, row('level'), '%', 10)).toEqual([]);
  });

  test('a span of a trace that came again with another time is one, at that time', async () => {
    const { make, scope: own } = telemetry.start();
    const first = make('spans', { startedAtUs: NOON_MS * 1_000, name: 'before' });
    const again = { ...first, startedAtUs: (NOON_MS + MINUTE_MS) * 1_000, name: 'after' };
    await telemetry.insert({ spans: [first] });
    await telemetry.insert({ spans: [again] });
    const named = async (...parts: RowCondition[]) => {
      const order = { by: 'time', isDescending: false } as const;
      const page = { fields: [row('name')], order, limit: 10, after: null, offset: 0 };
      return (await store.sample(own, asking('spans', ...parts), page)).rows.map(({ values }) => values[0]);
    };
    const ofTrace = exactly(row('trace'), first.traceId);
    const until = (atMs: number): RowCondition => ({ kind: 'moment', comparison: '<', atMs });
    expect(await named(ofTrace)).toEqual(['after']);
    expect(await named(ofTrace, until(NOON_MS + 1))).toEqual([]);
    expect(await named(exactly(row('trace'), again.spanId))).toEqual([]);
  });

  test('values that go with some of the rows, by how much more of these have them', async () => {
    const slow: RowCondition = { kind: 'number', field: row('duration'), comparison: '>=', value: 40 };
    const by = {
      selected: { kind: 'rows', expression: slow },
      fields: [row('user'), row('status'), row('release')],
      oneOf: null,
      selectedMin: 1,
      max: 3,
    } as const;
    expect(await store.contrast(scope, asking('spans'), by)).toEqual({
      rows: 5,
      selected: 2,
      values: [
        { field: row('user'), value: 'bob', rows: 3, selected: 2 },
        { field: row('status'), value: 'internal_error', rows: 1, selected: 1 },
        { field: attribute('db.rows'), value: '3', rows: 1, selected: 1 },
      ],
    });
    const often = await store.contrast(scope, asking('spans'), { ...by, selectedMin: 2, max: 10 });
    expect(often.values.map(({ value }) => value)).toEqual(['bob', 'false', 'postgresql']);
    const nothing = { organizationId: scope.organizationId, projectIds: [] };
    expect(await store.contrast(nothing, asking('spans'), by)).toEqual({ rows: 0, selected: 0, values: [] });
  });

  test('values that go with a part of the time, each row once, of all rows and of some', async () => {
    const selected = {
      kind: 'time',
      range: { fromMs: NOON_MS + 3 * MINUTE_MS, toMs: NOON_MS + HOUR_MS },
    } as const;
    expect(await store.countSelected(scope, asking('spans'), selected)).toEqual({ rows: 5, selected: 2 });
    const by = { selected, fields: [row('op'), row('user')], selectedMin: 2, max: 10 };
    const all = await store.contrast(scope, asking('spans'), { ...by, oneOf: { selected: 1, others: 1 } });
    expect(all).toMatchObject({ rows: 5, selected: 2 });
    expect(all.values.slice(0, 2)).toEqual([
      { field: row('op'), value: 'http.server', rows: 2, selected: 2 },
      { field: row('user'), value: 'bob', rows: 3, selected: 2 },
    ]);
    const some = await store.contrast(scope, asking('spans'), {
      ...by,
      oneOf: { selected: 1, others: 1_000_000 },
    });
    expect(some).toMatchObject({ rows: 2, selected: 2 });
  });

  test('the average of a flag is the share of rows with it among those that have one', async () => {
    const { groups } = await aggregate(asking('spans'), [{ kind: 'avg', field: attribute('cached') }]);
    expect(groups[0]?.values).toEqual([0.2]);
  });

  test('an attribute that came as a text, a number and a flag is all of them', async () => {
    const { make, scope: own } = telemetry.start();
    const sent = ['7', 7, true, 'some', undefined];
    await telemetry.insert({
      logs: sent.map((value, index) =>
        make('logs', {
          occurredAtUs: (NOON_MS + index) * 1_000,
          attributes: value === undefined ? { other: 1 } : { mixed: value },
        }),
      ),
    });
    const { groups } = await store.aggregate(own, asking('logs'), {
      groupBy: [attribute('mixed')],
      aggregates: [{ kind: 'count' }, { kind: 'sum', field: attribute('mixed') }],
      order: { by: { key: 0 }, isDescending: false },
      limit: 10,
      offset: 0,
    });
    expect(groups.map(({ keys, values }) => [...keys, ...values])).toEqual([
      ['', 1, null],
      ['7', 2, 14],
      ['some', 1, null],
      ['true', 1, 1],
    ]);
    for (const [text, rows] of [
      ['7', 2],
      ['true', 1],
      ['', 1],
    ] as const) {
      const asked = asking('logs', exactly(attribute('mixed'), text));
      const { groups } = await store.aggregate(own, asked, {
        groupBy: [],
        aggregates: [{ kind: 'count' }],
        order: { by: { aggregate: 0 }, isDescending: true },
        limit: 1,
        offset: 0,
      });
      expect(groups[0]?.values).toEqual([rows]);
    }
  });

  test('reads only the maps that have the attributes of a question', async () => {
    const statements: string[] = [];
    const query = ((sql: string, params: Record<string, unknown>) => {
      statements.push(sql);
      return telemetry.database.query(sql, params);
    }) as typeof telemetry.database.query;
    const watched = createRowExploreStore({ ...telemetry.database, query });
    const mapsOf = async (groupBy: RowField[], aggregates: Aggregate[], ...parts: RowCondition[]) => {
      statements.length = 0;
      await watched.aggregate(scope, asking('spans', ...parts), {
        groupBy,
        aggregates,
        order: { by: { aggregate: 0 }, isDescending: true },
        limit: 10,
        offset: 0,
      });
      return [...new Set(statements.at(-1)?.match(/attributes_\w+/g))].toSorted();
    };
    const count: Aggregate = { kind: 'count' };
    expect(await mapsOf([attribute('db.system')], [count])).toEqual(['attributes_text']);
    expect(await mapsOf([attribute('db.rows')], [count])).toEqual(['attributes_number']);
    expect(await mapsOf([], [{ kind: 'avg', field: attribute('db.rows') }])).toEqual(['attributes_number']);
    expect(await mapsOf([], [count], exactly(attribute('cached'), 'true'))).toEqual(['attributes_flag']);
    expect(await mapsOf([row('op')], [count])).toEqual([]);
    expect(statements).toHaveLength(1);
  });

  test('a scope that sees nothing, and the rows of another organization', async () => {
    const nothing = { organizationId: scope.organizationId, projectIds: [] };
    const page = {
      groupBy: [],
      aggregates: [{ kind: 'count' }],
      order: { by: { aggregate: 0 }, isDescending: true },
      limit: 1,
      offset: 0,
    } as const;
    expect((await store.aggregate(nothing, asking('spans'), page)).groups).toEqual([]);
    const other = { organizationId: 9, projectIds: scope.projectIds };
    expect((await store.aggregate(other, asking('spans'), page)).groups[0]?.values).toEqual([0]);
  });
});
