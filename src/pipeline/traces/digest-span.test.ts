import { expect, test } from 'vitest';
import { FIXTURES_RECEIVED_AT_MS, itemContext, rawItem } from '../fixtures/digest-fixture.ts';
import { ROOT_ID, STARTED, TRACE_ID } from '../fixtures/trace-fixture.ts';
import type { ItemContext } from '../item.ts';
import { digestSpan } from './digest-spans.ts';

const SPAN = {
  trace_id: TRACE_ID,
  span_id: 'bb90fdead5f74052',
  parent_span_id: ROOT_ID,
  segment_id: ROOT_ID,
  start_timestamp: STARTED,
  timestamp: STARTED + 0.112,
  op: 'ui.interaction.click',
  description: 'main > button',
  origin: 'auto.http.browser.inp',
  exclusive_time: 112,
  is_segment: false,
  measurements: { inp: { value: 112, unit: 'millisecond' } },
  data: {
    release: 'web@3.1.0',
    environment: 'production',
    transaction: '/checkout',
    'user.id': 'u-7',
    'client.address': '{{auto}}',
    'user_agent.original':
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  },
};

const digest = (payload: unknown, context: Partial<ItemContext> = {}) =>
  digestSpan(rawItem('span', payload), itemContext(context));

test('a web vital of a browser tells its release, page and user in its data', () => {
  const { rows, outcomes } = digest(SPAN, {
    lookUpGeo: (ip) => (ip === '198.51.100.4' ? { city: 'Vienna', country_code: 'AT' } : null),
  });
  expect(outcomes).toEqual([{ category: 'span', outcome: 'accepted', reason: '', quantity: 1 }]);
  expect(rows.spans).toMatchObject([
    {
      source: 'span',
      transactionId: null,
      segmentId: ROOT_ID,
      isSegment: false,
      op: 'ui.interaction.click',
      name: 'main > button',
      segmentName: '/checkout',
      status: 'unknown',
      origin: 'auto.http.browser.inp',
      startedAtUs: STARTED * 1_000_000,
      durationUs: 112_000,
      release: 'web@3.1.0',
      environment: 'production',
      userId: 'u-7',
      attributes: {
        inp: 112,
        'client.address': '198.51.100.4',
        'user.geo.city': 'Vienna',
        'user.geo.country_code': 'AT',
        'browser.name': 'Chrome',
        'sentry.exclusive_time': 112,
      },
    },
  ]);
});

test('{{auto}} without a sender’s address leaves no address', () => {
  const [span] = digest(SPAN, { clientIp: null }).rows.spans ?? [];
  expect(span?.attributes).not.toHaveProperty(['client.address']);
});

test.each([
  ['is_segment', { is_segment: true }, true],
  ['is_remote', { is_segment: null, is_remote: true }, true],
  ['neither, with a parent', { is_segment: null }, false],
  ['neither, without a parent', { is_segment: null, parent_span_id: null }, true],
  ['the id of its segment', { is_segment: null, segment_id: SPAN.span_id }, true],
])('a segment by %s', (_, fields, isSegment) => {
  expect(digest({ ...SPAN, ...fields }).rows.spans).toMatchObject([{ isSegment }]);
});

test.each([
  ['no JSON', '{', 'invalid_json'],
  ['no trace id', JSON.stringify({ ...SPAN, trace_id: null }), 'invalid_span'],
  ['a nil span id', JSON.stringify({ ...SPAN, span_id: '0'.repeat(16) }), 'invalid_span'],
  ['no end', JSON.stringify({ ...SPAN, timestamp: null }), 'timestamp'],
  ['an end before its start', JSON.stringify({ ...SPAN, timestamp: STARTED - 1 }), 'timestamp'],
  ['a duration of years', JSON.stringify({ ...SPAN, timestamp: STARTED + 4e8 }), 'timestamp'],
])('%s is refused', (_, text, reason) => {
  expect(digest(Buffer.from(text))).toMatchObject({
    outcomes: [{ category: 'span', outcome: 'invalid', reason, quantity: 1 }],
  });
  expect(digest(Buffer.from(text)).rows.spans ?? []).toEqual([]);
});

test('a span that is too old moves to its arrival and says so', () => {
  const start = STARTED - 40 * 86_400;
  expect(digest({ ...SPAN, start_timestamp: start, timestamp: start + 1 }).rows.spans).toMatchObject([
    {
      startedAtUs: FIXTURES_RECEIVED_AT_MS * 1_000,
      durationUs: 1_000_000,
      attributes: { 'errata.timestamp_problem': 'past_timestamp' },
    },
  ]);
});
