import { afterAll, beforeAll, expect, test } from 'vitest';
import { NOON_MS } from '../contract/sample-events.ts';
import { makeRow, newSpanId } from '../contract/sample-telemetry.ts';
import type { ApiScene } from './api-scene.ts';
import { openEventsScene, TRACE } from './events-scene.ts';

const ORG = 'organizations/[org]';
const ITEM = 'projects/[org]/[project]/trace-items/[item]';

let scene: ApiScene;
beforeAll(async () => {
  scene = await openEventsScene();
});
afterAll(async () => {
  await scene?.close();
});

const ask = async <Answer>(path: string, query: string, params = {}): Promise<Answer> => {
  const [status, answer] = await scene.answer<Answer>('GET', path, { query, params });
  expect([status, status === 200 ? '' : answer]).toEqual([200, '']);
  return answer;
};

test('attributes with their types, as clients search them', async () => {
  const list = (query: string) => ask<{ key: string }[]>(`${ORG}/trace-items/attributes`, query);
  const spans = await list('itemType=spans');
  expect(spans).toContainEqual({
    key: 'span.op',
    name: 'span.op',
    attributeType: 'string',
    attributeSource: { source_type: 'sentry' },
  });
  const size = { name: 'cart.size', attributeType: 'number', attributeSource: { source_type: 'user' } };
  expect(await list('itemType=spans&attributeType=number&substringMatch=CART')).toEqual([
    { key: 'tags[cart.size,number]', ...size },
  ]);
  const query = `dataset=spans&field=count()&query=${encodeURIComponent('tags[cart.size,number]:>3')}`;
  expect(await ask(`${ORG}/events`, query)).toMatchObject({ data: [{ 'count()': 2 }] });
  expect((await list('itemType=logs')).map(({ key }) => key)).toContain('tags[order.number,number]');
  expect((await list('itemType=tracemetrics')).map(({ key }) => key)).toContain('metric.name');
  expect(
    (await ask<{ key: string }[]>(`${ORG}/spans/fields`, 'project=-1')).map(({ key }) => key),
  ).not.toContain('cart.size');
  expect((await scene.answer('GET', `${ORG}/trace-items/attributes`, { query: 'itemType=errors' }))[0]).toBe(
    400,
  );
});

test('values of an attribute', async () => {
  const values = (path: string, query: string) => ask(`${ORG}/${path}`, query, { key: 'span.op' });
  expect(await values('trace-items/attributes/[key]/values', 'itemType=spans')).toMatchObject([
    { key: 'span.op', name: 'db', value: 'db', count: 3 },
    { value: 'http.server', count: 3 },
  ]);
  expect(await values('spans/fields/[key]/values', 'substringMatch=ht')).toMatchObject([
    { value: 'http.server' },
  ]);
});

test('a span, a log and a metric value with everything that was sent', async () => {
  const { product, mine, web, api } = scene;
  const [spanId, rowId, traceId] = [newSpanId(), 'd'.repeat(32), 'e'.repeat(32)];
  const origin = { organizationId: mine.id, projectId: web.id, traceId };
  const attributes = { 'cart.size': 3, ratio: 0.5, isPaid: true, shop: 'berlin' };
  await product.stores.telemetry.insert(
    {
      spans: [makeRow('spans', { ...origin, spanId, op: 'db', durationUs: 1_500, attributes })],
      logs: [
        makeRow('logs', { ...origin, rowId, body: 'paid', occurredAtUs: NOON_MS * 1_000 + 7, attributes }),
      ],
      metrics: [makeRow('metrics', { ...origin, rowId, name: 'checkout', value: 2 })],
    },
    'items',
  );
  const item = (query: string, id: string) =>
    ask<{ itemId: string; attributes: unknown[] }>(ITEM, query, { item: id });
  const span = await item(`item_type=spans&trace_id=${traceId}`, spanId);
  expect(span).toMatchObject({ itemId: spanId, meta: {}, links: null });
  expect(span.attributes).toEqual(
    expect.arrayContaining([
      { name: 'span.op', type: 'str', value: 'db' },
      { name: 'span.duration', type: 'float', value: 1.5 },
      { name: 'cart.size', type: 'int', value: 3 },
      { name: 'ratio', type: 'float', value: 0.5 },
      { name: 'isPaid', type: 'bool', value: true },
    ]),
  );
  const log = await item(`item_type=logs&trace_id=${traceId}`, rowId);
  expect(log).toMatchObject({
    itemId: rowId,
    timestamp: new Date(NOON_MS).toISOString().replace('000Z', '000007Z'),
  });
  expect(log.attributes).toContainEqual({ name: 'message', type: 'str', value: 'paid' });
  expect((await item('item_type=tracemetrics', rowId)).attributes).toContainEqual({
    name: 'value',
    type: 'int',
    value: 2,
  });
  const status = async (query: string, params: object) =>
    (await scene.answer('GET', ITEM, { query, params: { item: spanId, ...params } }))[0];
  expect(await status(`item_type=spans&trace_id=${traceId}`, { project: api.slug })).toBe(404);
  expect(await status('item_type=spans', {})).toBe(400);
  expect(await status('item_type=logs', { item: 'f'.repeat(32) })).toBe(404);
});

test('the logs of a trace', async () => {
  type Logs = { data: Record<string, unknown>[]; meta: { fields: Record<string, string> } };
  const logs = await ask<Logs>(
    `${ORG}/trace-logs`,
    `traceId=${TRACE}&statsPeriod=14d&per_page=100&sort=timestamp`,
  );
  expect(logs.data).toMatchObject([
    { trace: TRACE, severity: 'info', message: 'Order 0 paid', 'project.id': scene.web.id },
    { severity: 'error' },
  ]);
  expect(logs.meta.fields).toMatchObject({ severity_number: 'number' });
  expect((await ask<Logs>(`${ORG}/trace-logs`, `traceId=${TRACE}&query=severity:error`)).data).toHaveLength(
    1,
  );
  expect((await ask<Logs>(`${ORG}/trace-logs`, `traceId=${'a'.repeat(32)}`)).data).toEqual([]);
  expect((await scene.answer('GET', `${ORG}/trace-logs`, { query: '' }))[0]).toBe(400);
});
