import { expect, test } from 'vitest';
import { digestEnvelope } from '../digest-envelope.ts';
import { itemContext, rawItem } from '../fixtures/digest-fixture.ts';
import { ROOT_ID, STARTED, TRACE_ID } from '../fixtures/trace-fixture.ts';
import type { ItemContext, RawItem } from '../item.ts';

const NANOS = 1_000_000_000;
const QUERY = 'SELECT * FROM carts WHERE id = 17';
const idOf = (index: number) => `d${index.toString(16).padStart(15, '0')}`;
const text = (value: string) => ({ type: 'string', value });

const span = (fields: object, attributes: Record<string, string>) => ({
  trace_id: TRACE_ID,
  status: 'ok',
  is_segment: false,
  ...fields,
  attributes: Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, text(value)])),
});
const SEGMENT = span(
  {
    span_id: ROOT_ID,
    name: 'GET /cart/:id',
    is_segment: true,
    start_timestamp: STARTED,
    end_timestamp: STARTED + 2,
  },
  {
    'sentry.op': 'http.server',
    'sentry.segment.name': 'GET /cart/:id',
    'sentry.release': 'shop@1.2.3',
    'sentry.environment': 'production',
    'sentry.sdk.name': 'sentry.javascript.node',
    'sentry.platform': 'node',
    'user.id': 'u-1',
  },
);
const query = (index: number, ms: number, fields: object = {}, segment: string | null = ROOT_ID) =>
  span(
    {
      span_id: idOf(index),
      parent_span_id: ROOT_ID,
      name: QUERY,
      start_timestamp: STARTED + 0.1 * index,
      end_timestamp: STARTED + 0.1 * index + ms / 1_000,
      ...fields,
    },
    { 'sentry.op': 'db', 'db.query.text': QUERY, ...(segment && { 'sentry.segment.id': segment }) },
  );

const container = (items: readonly unknown[]): RawItem =>
  rawItem(
    'span',
    { items },
    { contentType: 'application/vnd.sentry.items.span.v2+json', itemCount: items.length },
  );
const digest = (
  item: RawItem,
  context: Partial<ItemContext> = {},
  isKnown: (id: string) => boolean = () => false,
) => digestEnvelope([item], itemContext({ mayDetect: true, ...context }), isKnown);

test('a segment that came with its spans is examined like a transaction', () => {
  const { events, rows, outcomes } = digest(container([query(1, 750), SEGMENT]));
  expect(events).toMatchObject([
    {
      type: 'performance_slow_db_query',
      title: 'Slow DB query: SELECT * FROM carts WHERE id = %s',
      culprit: 'GET /cart/:id',
      transaction: 'GET /cart/:id',
      release: 'shop@1.2.3',
      environment: 'production',
      platform: 'node',
      user: { id: 'u-1' },
      traceId: TRACE_ID,
      payload: {
        user: { id: 'u-1' },
        contexts: { trace: { trace_id: TRACE_ID, span_id: idOf(1) } },
        occurrence: {
          transactionId: null,
          transactionDurationUs: 2_000_000,
          offenderCount: 1,
          spans: [
            { role: 'parent', spanId: ROOT_ID },
            { role: 'offender', spanId: idOf(1), description: QUERY },
          ],
        },
      },
    },
  ]);
  expect(events[0]?.tags).toContainEqual(['environment', 'production']);
  // Nobody sent it: it is counted as nothing.
  expect(outcomes).toEqual([expect.objectContaining({ category: 'span', quantity: 2 })]);
  expect(rows.spans).toHaveLength(2);
});

test('an event has the same ID when its spans are digested again, and is then left out', () => {
  const [first] = digest(container([query(1, 750), SEGMENT])).events;
  const [again] = digest(container([SEGMENT, query(1, 750)])).events;
  expect(again).toEqual(first);
  const known = digest(container([SEGMENT, query(1, 750)]), {}, (id) => id === first?.eventId);
  expect([known.events, known.rows.spans.length]).toEqual([[], 2]);
  const [other] = digest(
    container([
      { ...SEGMENT, trace_id: 'e'.repeat(32) },
      { ...query(1, 750), trace_id: 'e'.repeat(32) },
    ]),
  ).events;
  expect(other?.eventId).not.toBe(first?.eventId);
  expect(other?.groupingHash).toBe(first?.groupingHash);
});

test.each<[string, readonly object[], Partial<ItemContext>]>([
  ['the segment came in another request', [query(1, 750), query(2, 750)], {}],
  ['the budget is spent', [query(1, 750), SEGMENT], { mayDetect: false }],
  ['its issue was discarded', [query(1, 750), SEGMENT], { isDiscarded: () => true }],
  ['it is of another trace', [query(1, 750, { trace_id: 'f'.repeat(32) }), SEGMENT], {}],
  [
    'parents go around',
    [
      query(1, 750, { parent_span_id: idOf(2) }, null),
      query(2, 1, { parent_span_id: idOf(1) }, null),
      SEGMENT,
    ],
    {},
  ],
])('where %s, spans are stored without events', (_, items, context) => {
  const { events, rows } = digest(container(items), context);
  expect([events, rows.spans.length]).toEqual([[], items.length]);
});

test('spans of OpenTelemetry belong to the nearest span above them that begins its service’s part', () => {
  const otlp = (fields: object, attributes: Record<string, string> = {}) => ({
    traceId: TRACE_ID,
    kind: 'SPAN_KIND_CLIENT',
    ...fields,
    attributes: Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } })),
  });
  const at = (seconds: number) => String(BigInt(Math.round(seconds * 1_000)) * BigInt(NANOS / 1_000));
  const server = otlp({
    spanId: ROOT_ID,
    parentSpanId: 'aa90fdead5f74052',
    // Its parent is remote.
    flags: 0x300,
    name: 'GET /cart/{id}',
    kind: 'SPAN_KIND_SERVER',
    startTimeUnixNano: at(STARTED),
    endTimeUnixNano: at(STARTED + 2),
  });
  const handler = otlp({
    spanId: idOf(90),
    parentSpanId: ROOT_ID,
    name: 'handler',
    kind: 'SPAN_KIND_INTERNAL',
    startTimeUnixNano: at(STARTED),
    endTimeUnixNano: at(STARTED + 2),
  });
  const select = (index: number, attributes: Record<string, string>) =>
    otlp(
      {
        spanId: idOf(index),
        parentSpanId: idOf(90),
        name: 'SELECT shop',
        startTimeUnixNano: at(STARTED + 0.1 * index),
        endTimeUnixNano: at(STARTED + 0.1 * index + 0.02),
      },
      { 'db.system.name': 'postgresql', ...attributes },
    );
  const digestAll = (spans: readonly object[]) =>
    digest(
      rawItem(
        'otlp_traces',
        { resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ scope: {}, spans }] }] },
        { contentType: 'application/json' },
      ),
    ).events;
  const queries = Array.from({ length: 7 }, (_, index) =>
    select(index + 1, {
      'db.query.text': index === 0 ? 'SELECT id FROM carts' : `SELECT * FROM items WHERE id = ${index}`,
    }),
  );
  expect(digestAll([...queries, handler, server])).toMatchObject([
    {
      type: 'performance_n_plus_one_db_queries',
      transaction: 'GET /cart/{id}',
      payload: { occurrence: { offenderCount: 6 } },
    },
  ]);
  // Without their statements nothing says that these are the same.
  const unsaid = Array.from({ length: 7 }, (_, index) => select(index + 1, {}));
  expect(digestAll([...unsaid, handler, server])).toEqual([]);
});
