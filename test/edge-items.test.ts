import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isStoredType } from '#pipeline/digest-envelope.ts';
import { buildEnvelope, type EnvelopeItem } from './harness/envelope.ts';
import { EDGE_KEY, EDGE_PROJECT, itemsOf, type OpenEdge, openEdge, send } from './harness/open-edge.ts';
import { until } from './harness/until.ts';

const ID = '9ec79c33ec9942ab8353589fcb2e04dc';
const ROUTE = `/api/${EDGE_PROJECT}/envelope/`;
const KIB = 1024;
const MIB = 1024 * KIB;

let edge: OpenEdge;
beforeEach(async () => {
  edge = await openEdge();
});
afterEach(() => edge.close());

const envelope = (items: readonly EnvelopeItem[], header: Record<string, unknown> = {}) =>
  send(edge, ROUTE, buildEnvelope(header, items));
const bytes = (count: number) => Buffer.alloc(count, 'x');
const same = (count: number, item: EnvelopeItem) => Array.from({ length: count }, () => item);

/** Every type that is kept, and whether it needs an event id. */
const KEPT: [type: string, needsEventId: boolean][] = [
  ['event', true],
  ['transaction', true],
  ['security', true],
  ['raw_security', true],
  ['nel', false],
  ['feedback', true],
  ['replay_event', true],
  ['user_report', true],
  ['attachment', true],
  ['unreal_report', true],
  ['session', false],
  ['sessions', false],
  ['check_in', false],
  ['span', false],
  ['log', false],
  ['trace_metric', false],
  ['statsd', false],
  ['profile', true],
  ['profile_chunk', false],
  ['replay_recording', false],
  ['replay_video', false],
];

describe('an item', () => {
  test.each(KEPT)('of type %s is kept, and digest knows it', async (type, needsEventId) => {
    const response = await envelope([{ type, payload: '{"a":1}' }]);
    const { id } = (await response.json()) as { id?: string };
    expect([response.status, id !== undefined]).toEqual([200, needsEventId]);
    expect(itemsOf(edge.records[0])).toEqual([{ type, payload: '{"a":1}' }]);
    expect(edge.records[0]?.eventId ?? undefined).toBe(id);
    expect(isStoredType(type)).toBe(true);
  });

  test('of a type that only the jobs role may hand over is not kept, though digest knows it', async () => {
    expect((await envelope([{ type: 'monitor_failure', payload: '{"a":1}' }])).status).toBe(200);
    await until('its outcome', () => edge.records.length > 0);
    expect(edge.records.flatMap((record) => itemsOf(record))).toEqual([]);
    expect(isStoredType('monitor_failure')).toBe(true);
  });

  test('that Android calls profile_chunk_ui is a profile chunk', async () => {
    await envelope([{ type: 'profile_chunk_ui', payload: '{}', headers: { platform: 'android' } }]);
    expect(itemsOf(edge.records[0])).toEqual([
      { type: 'profile_chunk', payload: '{}', facts: { platform: 'android' } },
    ]);
  });

  test('hands on what its header says', async () => {
    const headers = {
      content_type: 'text/plain',
      filename: 'a.txt',
      attachment_type: 'event.attachment',
      item_count: 3,
      platform: 'node',
      unknown: 'x',
    };
    await envelope([{ type: 'attachment', payload: 'x', headers }]);
    expect(edge.records[0]?.items[0]?.facts).toEqual({
      contentType: 'text/plain',
      filename: 'a.txt',
      attachmentType: 'event.attachment',
      itemCount: 3,
      platform: 'node',
    });
  });

  test.each([
    ['from_the_future', 'unknown', 1],
    ['metric_buckets', 'statsd', 1],
    ['form_data', 'unknown', 1],
    ['otlp_traces', 'span', 1],
    ['__proto__', 'unknown', 1],
    ['constructor', 'unknown', 1],
  ])('of type %s is passed over with 200 and an outcome', async (type, category, quantity) => {
    expect((await envelope([{ type, payload: '{}' }])).status).toBe(200);
    expect(edge.records[0]?.items).toEqual([]);
    expect(edge.records[0]?.outcomes).toEqual([
      { category, outcome: 'filtered', reason: 'unsupported_item', quantity },
    ]);
  });

  test('of type integration costs the envelope, since only servers make one', async () => {
    const response = await envelope([
      { type: 'log', payload: '{}', headers: { item_count: 4 } },
      { type: 'integration', payload: '{}' },
    ]);
    expect([response.status, await response.json()]).toEqual([
      400,
      { detail: expect.stringContaining('integration') },
    ]);
    expect(edge.records).toEqual([]);
    expect(edge.refused).toEqual([
      { category: 'log_item', outcome: 'invalid', reason: 'internal_item', quantity: 4 },
      { category: 'unknown', outcome: 'invalid', reason: 'internal_item', quantity: 1 },
    ]);
  });

  test('that reports what the client threw away becomes outcomes', async () => {
    const report = { discarded_events: [{ reason: 'queue_overflow', category: 'error', quantity: 7 }] };
    expect((await envelope([{ type: 'client_report', payload: JSON.stringify(report) }])).status).toBe(200);
    expect(edge.records[0]?.items).toEqual([]);
    expect(edge.records[0]?.outcomes).toMatchObject([{ outcome: 'client_discard', quantity: 7 }]);
  });

  test('may come with others of every kind', async () => {
    const all = KEPT.filter(
      ([type]) =>
        ![
          'transaction',
          'security',
          'raw_security',
          'nel',
          'feedback',
          'replay_event',
          'profile_chunk',
        ].includes(type),
    );
    const response = await envelope(
      all.map(([type]) => ({ type, payload: '{}' })),
      { event_id: ID },
    );
    expect([response.status, await response.json()]).toEqual([200, { id: ID }]);
    expect(edge.records[0]?.items.map(({ type }) => type)).toEqual(all.map(([type]) => type));
  });
});

describe('the event id', () => {
  test.each([
    [
      'of the envelope',
      { event_id: ID.toUpperCase() },
      '{"event_id":"0123456789abcdef0123456789abcdef"}',
      ID,
    ],
    ['of the payload', {}, `{"event_id":"${ID}"}`, ID],
    ['of the payload when the envelope says zeros', { event_id: '0'.repeat(32) }, `{"event_id":"${ID}"}`, ID],
  ])('is that %s', async (_name, header, payload, id) => {
    expect(await (await envelope([{ type: 'event', payload }], header)).json()).toEqual({ id });
  });

  test('is made when there is none, and refused when it is none', async () => {
    const { id } = (await (await envelope([{ type: 'event', payload: '{"event_id":7}' }])).json()) as {
      id: string;
    };
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect((await envelope([{ type: 'event', payload: '{}' }], { event_id: 'seven' })).status).toBe(400);
  });
});

describe('more than an envelope may hold', () => {
  const single = ['event', 'transaction', 'security', 'raw_security', 'nel', 'feedback', 'replay_event'];
  test.each(single)('event and %s: 400, since both are the event', async (type) => {
    const response = await envelope([
      { type: 'event', payload: '{}' },
      { type, payload: '{}' },
    ]);
    expect([response.status, await response.json()]).toEqual([
      400,
      { detail: expect.stringContaining('only one event') },
    ]);
    expect(edge.refused.map(({ reason }) => reason)).toEqual(['duplicate_item', 'duplicate_item']);
  });

  const counts: [name: string, countMax: number, item: EnvelopeItem][] = [
    ['attachments', 30, { type: 'attachment', payload: 'x' }],
    ['user reports', 30, { type: 'user_report', payload: '{}' }],
    ['sessions', 100, { type: 'session', payload: '{}' }],
    ['lists of sessions', 100, { type: 'sessions', payload: '{}' }],
    ['client reports', 100, { type: 'client_report', payload: '{}' }],
    ['single spans', 25, { type: 'span', payload: '{}' }],
    [
      'span containers',
      1,
      { type: 'span', payload: '{}', headers: { content_type: 'application/vnd.sentry.items.span.v2+json' } },
    ],
    ['log containers', 1, { type: 'log', payload: '{}' }],
    ['metric containers', 1, { type: 'trace_metric', payload: '{}' }],
    ['check-ins', 1, { type: 'check_in', payload: '{}' }],
    ['profiles', 1, { type: 'profile', payload: '{}' }],
    ['recordings', 1, { type: 'replay_recording', payload: 'x' }],
    ['videos', 1, { type: 'replay_video', payload: 'x' }],
  ];
  test.each(counts)('%s: up to %d, more is 413', async (_name, countMax, item) => {
    expect((await envelope(same(countMax, item))).status).toBe(200);
    const response = await envelope(same(countMax + 1, item));
    expect([response.status, await response.json()]).toEqual([
      413,
      { detail: expect.stringContaining(String(countMax)) },
    ]);
  });

  const sizes: [type: string, bytesMax: number][] = [
    ['event', MIB],
    ['transaction', MIB],
    ['feedback', MIB],
    ['user_report', MIB],
    ['security', MIB],
    ['sessions', 10 * MIB],
    ['check_in', 100 * KIB],
    ['client_report', 100 * KIB],
    ['log', 2 * MIB],
    ['span', 10 * MIB],
    ['trace_metric', MIB],
    ['statsd', MIB],
    ['profile', 50 * MIB],
    ['replay_recording', 10 * MIB],
    ['replay_video', 10 * MIB],
  ];
  test.each(sizes)('a %s: up to %d bytes, more is 413 before it was read', async (type, bytesMax) => {
    expect((await envelope([{ type, payload: bytes(bytesMax) }])).status).toBe(200);
    const response = await envelope([{ type, payload: bytes(bytesMax + 1) }]);
    expect([response.status, await response.json()]).toEqual([
      413,
      { detail: expect.stringContaining(String(bytesMax)) },
    ]);
    if (type !== 'client_report')
      expect(edge.refused).toMatchObject([{ outcome: 'invalid', reason: 'too_large' }]);
    expect(edge.memory.heldBytes).toBe(0);
  });

  test('a thousand items, or a header line of 64 KiB', async () => {
    const item = { type: 'from_the_future', payload: '' };
    expect((await envelope(same(1000, item))).status).toBe(200);
    expect((await envelope(same(1001, item))).status).toBe(413);
    const line = (count: number) => `{"x":"${'x'.repeat(count)}"}\n`;
    expect((await send(edge, ROUTE, line(65_000))).status).toBe(200);
    expect((await send(edge, ROUTE, line(65_536))).status).toBe(413);
    expect((await send(edge, ROUTE, `{}\n${line(65_536)}`)).status).toBe(413);
  });
});

describe('a large body', () => {
  const large = (type: string) => ({ type, payload: bytes(1.5 * MIB), headers: { filename: 'f' } });

  test.each(['attachment', 'profile', 'profile_chunk', 'replay_recording', 'replay_video', 'unreal_report'])(
    'of a %s goes to the blob store, a small one stays in the record',
    async (type) => {
      await envelope([large(type)], { event_id: ID });
      await envelope([{ type, payload: 'small' }], { event_id: ID });
      const [item] = edge.records[0]?.items ?? [];
      expect([item?.type, item?.payload.length, item?.facts?.filename]).toEqual([type, 0, 'f']);
      const { key, bytes: size } = item?.facts?.blob ?? { key: '', bytes: 0 };
      expect(size).toBe(1.5 * MIB);
      expect((await edge.blobs.readWhole(key, 2 * MIB))?.equals(bytes(1.5 * MIB))).toBe(true);
      expect(itemsOf(edge.records[1])).toEqual([{ type, payload: 'small' }]);
      expect(edge.blobFiles()).toHaveLength(1);
    },
  );

  test('is known by its length or by its end, in any pieces', async () => {
    const text = `{"event_id":"${ID}"}\n{"type":"attachment"}\n${'y'.repeat(1.5 * MIB)}\n{"type":"event"}\n{}\n`;
    expect(
      (await send(edge, ROUTE, gzipSync(text), { headers: { 'content-encoding': 'gzip' } })).status,
    ).toBe(200);
    expect(edge.records[0]?.items[0]?.facts?.blob?.bytes).toBe(1.5 * MIB);
    expect(itemsOf(edge.records[0])[1]).toEqual({ type: 'event', payload: '{}' });
  });

  test('many small ones go there too, before the record gets heavy', async () => {
    await envelope(same(10, { type: 'attachment', payload: bytes(900 * KIB) }));
    const inRecord = edge.records[0]?.items.filter(({ payload }) => payload.length > 0) ?? [];
    expect(inRecord).toHaveLength(4);
    expect(edge.records[0]?.items.filter(({ facts }) => facts?.blob)).toHaveLength(6);
  });

  test('works with the key in the envelope alone, and without it nothing reaches the disk', async () => {
    const { host } = new URL(edge.url);
    const dsn = (key: string) => `http://${key}@${host}/${EDGE_PROJECT}`;
    const body = (header: Record<string, unknown>) => buildEnvelope(header, [large('attachment')]);
    const stranger = await send(edge, ROUTE, body({ dsn: dsn('0'.repeat(32)) }), { auth: false });
    expect(stranger.status).toBe(403);
    expect((await send(edge, ROUTE, body({}), { auth: false })).status).toBe(401);
    expect(edge.blobFiles()).toEqual([]);
    expect((await send(edge, ROUTE, body({ dsn: dsn(EDGE_KEY) }), { auth: false })).status).toBe(200);
    expect(edge.blobFiles()).toHaveLength(1);
  });

  test.each([
    ['an item after it is broken', [large('attachment'), { type: 'event', payload: bytes(2 * MIB) }], 413],
    [
      'there are two events',
      [large('attachment'), { type: 'event', payload: '{}' }, { type: 'event', payload: '{}' }],
      400,
    ],
  ] as const)('is removed when %s', async (_name, items, status) => {
    expect((await envelope(items)).status).toBe(status);
    expect(edge.blobFiles()).toEqual([]);
    expect(edge.memory.heldBytes).toBe(0);
  });

  test('is removed when the spool does not take the record', async () => {
    edge.breakSpool();
    const response = await envelope([large('attachment')]);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '10']);
    expect(edge.blobFiles()).toEqual([]);
    expect(edge.refused).toEqual([]);
  });

  test('stays when the spool may have the record all the same', async () => {
    edge.breakSpool('late');
    expect((await envelope([large('attachment')])).status).toBe(503);
    const key = edge.records[0]?.items[0]?.facts?.blob?.key ?? '';
    expect((await edge.blobs.readWhole(key, 2 * MIB))?.length).toBe(1.5 * MIB);
  });

  test('is removed when the sender goes away in the middle', async () => {
    const request = httpRequest(`${edge.url}${ROUTE}`, {
      method: 'POST',
      headers: { 'x-sentry-auth': `Sentry sentry_key=${EDGE_KEY}` },
    });
    request.on('error', () => {});
    request.write(`{}\n{"type":"attachment","length":${20 * MIB}}\n`);
    request.write(bytes(3 * MIB));
    await until('the body on the disk', () => edge.blobFiles().length === 1);
    expect(edge.memory.heldBytes).toBeLessThan(MIB);
    request.destroy();
    await until('its removal', () => edge.blobFiles().length === 0);
    await until('the outcome', () => edge.refused.length === 1);
    expect(edge.refused).toEqual([
      { category: 'attachment', outcome: 'invalid', reason: 'invalid_body', quantity: 1 },
    ]);
    expect([edge.records, edge.memory.heldBytes]).toEqual([[], 0]);
  });
});
