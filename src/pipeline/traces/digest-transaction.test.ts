import { describe, expect, test } from 'vitest';
import { DEFAULT_INGEST_SETTINGS } from '#protocol/ingest-settings.ts';
import { FIXTURES_RECEIVED_AT_MS } from '../fixtures/digest-fixture.ts';
import {
  child,
  digestTransactionOf,
  ENDED,
  ROOT_ID,
  STARTED,
  storedTransaction,
  TRACE_ID,
  transaction,
} from '../fixtures/trace-fixture.ts';
import { compileIngestRules, type IngestRules } from '../ingest-rules.ts';
import { SPANS_PER_TRANSACTION_MAX } from '../telemetry/limits.ts';

const outcome = (category: string, kind: string, quantity: number, reason = '') => ({
  category,
  outcome: kind,
  reason,
  quantity,
});

const rulesWith = (rules: {
  filters?: Partial<IngestRules['filters']>;
  scrubber?: Partial<IngestRules['scrubber']>;
}): IngestRules => {
  const compiled = compileIngestRules(DEFAULT_INGEST_SETTINGS);
  return {
    ...compiled,
    filters: { ...compiled.filters, ...rules.filters },
    scrubber: { ...compiled.scrubber, ...rules.scrubber },
  };
};

describe('what is stored', () => {
  test('the root span names the continuous profiler that the context names', () => {
    const profiler = 'c0aaaaaaaaaaaaaaaaaaaaaaaaaaaaab';
    const attributesOf = (contexts: object) =>
      digestTransactionOf(transaction({ contexts: { ...transaction().contexts, ...contexts } })).rows
        .spans?.[0]?.attributes;
    expect(attributesOf({ profile: { profiler_id: profiler } })).toMatchObject({ profiler_id: profiler });
    expect(attributesOf({ profile: { profile_id: profiler } })).not.toHaveProperty('profiler_id');
  });

  test('the transaction is a row with its columns', () => {
    const { row, result } = storedTransaction(transaction());
    expect(row).toMatchObject({
      organizationId: 1,
      projectId: 2,
      keyId: 3,
      receivedAt: FIXTURES_RECEIVED_AT_MS,
      eventId: 'dad187904fee477e9aa75429a1eda314',
      traceId: TRACE_ID,
      spanId: ROOT_ID,
      name: 'GET /cart/:id',
      op: 'http.server',
      status: 'ok',
      platform: 'node',
      startedAtUs: STARTED * 1_000_000,
      endedAtUs: ENDED * 1_000_000,
      release: 'shop@1.2.3',
      dist: '7',
      environment: 'production',
      user: { id: 'u-1', email: 'a@example.com', username: null, ip: null },
      sdk: { name: 'sentry.javascript.node', version: '9.0.0' },
      measurements: { lcp: 812.5 },
      spanCount: 2,
      profileId: 'a0aaaaaaaaaaaaaaaaaaaaaaaaaaaaab',
      replayId: 'b0aaaaaaaaaaaaaaaaaaaaaaaaaaaaab',
    });
    expect(row.tags).toContainEqual(['plan', 'pro']);
    expect(row.tags).toContainEqual(['environment', 'production']);
    expect(row.payload).toMatchObject({
      type: 'transaction',
      level: 'info',
      measurements: { lcp: { value: 812.5, unit: 'millisecond' } },
      transaction_info: { source: 'route' },
    });
    expect(row.payload).not.toHaveProperty('spans');
    expect(row.payload).not.toHaveProperty('errors');
    expect(result.outcomes).toEqual([outcome('transaction', 'accepted', 1), outcome('span', 'accepted', 3)]);
  });

  test('the root span stands for the transaction', () => {
    expect(storedTransaction(transaction()).root).toMatchObject({
      traceId: TRACE_ID,
      spanId: ROOT_ID,
      parentSpanId: 'aa90fdead5f74052',
      segmentId: ROOT_ID,
      isSegment: true,
      transactionId: 'dad187904fee477e9aa75429a1eda314',
      source: 'transaction',
      op: 'http.server',
      name: 'GET /cart/:id',
      segmentName: 'GET /cart/:id',
      status: 'ok',
      kind: 'server',
      origin: 'auto.http',
      durationUs: 2_000_000,
      release: 'shop@1.2.3',
      userId: 'u-1',
      attributes: { 'http.method': 'GET', lcp: 812.5, plan: 'pro', 'sentry.was_transaction': true },
    });
  });

  test('a child span has its own facts, and its transaction’s release, environment and user', () => {
    const { children } = storedTransaction(
      transaction({
        spans: [
          child(1, {
            status: 'not_found',
            origin: 'auto.db',
            data: { 'db.system': 'pg', release: 'of the database', nested: { a: [1] } },
            tags: { shard: 4 },
            measurements: { rows: { value: 3 } },
            links: [{ trace_id: TRACE_ID, span_id: ROOT_ID, sampled: true, attributes: { k: 'v' } }],
          }),
        ],
      }),
    );
    expect(children).toMatchObject([
      {
        parentSpanId: ROOT_ID,
        segmentId: ROOT_ID,
        isSegment: false,
        op: 'db.sql.query',
        name: 'SELECT 1',
        segmentName: 'GET /cart/:id',
        status: 'not_found',
        origin: 'auto.db',
        startedAtUs: STARTED * 1_000_000 + 250_000,
        durationUs: 500_000,
        release: 'shop@1.2.3',
        environment: 'production',
        platform: 'node',
        sdkName: 'sentry.javascript.node',
        userId: 'u-1',
        attributes: {
          'sentry.normalized_description': 'SELECT %s',
          'db.system': 'pg',
          nested: '{"a":[1]}',
          shard: 4,
          rows: 3,
        },
        links: [{ trace_id: TRACE_ID, span_id: ROOT_ID, sampled: true, attributes: { k: 'v' } }],
      },
    ]);
  });

  test('a transaction without a name, op or status has the names that the reference gives', () => {
    const { row, children } = storedTransaction(
      transaction({
        transaction: '',
        contexts: { trace: { trace_id: TRACE_ID, span_id: ROOT_ID } },
        spans: [child(1, { op: null, description: null, trace_id: undefined })],
      }),
    );
    expect(row).toMatchObject({ name: '<unlabeled transaction>', op: 'default', status: 'unknown' });
    expect(children).toMatchObject([
      { op: 'default', name: 'default', status: 'unknown', traceId: TRACE_ID },
    ]);
  });

  test('NaN of Python and the old names of contexts are read', () => {
    const { contexts, ...rest } = transaction();
    const text = JSON.stringify({ ...rest, 'sentry.interfaces.Contexts': contexts, extra: { ratio: 0 } });
    const { row } = storedTransaction(Buffer.from(text.replace('"ratio":0', '"ratio":NaN')));
    expect(row).toMatchObject({ op: 'http.server', payload: { extra: { ratio: null } } });
  });

  test('the same bytes give the same rows', () => {
    expect(digestTransactionOf(transaction())).toEqual(digestTransactionOf(transaction()));
  });
});

describe('what is refused', () => {
  const trace = { trace_id: TRACE_ID, span_id: ROOT_ID };
  test.each([
    ['no timestamp', { timestamp: null }],
    ['no start', { start_timestamp: undefined }],
    ['a start that is no time', { start_timestamp: 'early' }],
    ['an end before its start', { start_timestamp: ENDED, timestamp: STARTED }],
    ['a start in 1970', { start_timestamp: 0 }],
    ['no contexts', { contexts: null }],
    ['no trace context', { contexts: { os: { name: 'linux' } } }],
    ['a trace context that is no object', { contexts: { trace: [] } }],
    ['no trace id', { contexts: { trace: { ...trace, trace_id: null } } }],
    ['a nil trace id', { contexts: { trace: { ...trace, trace_id: '0'.repeat(32) } } }],
    ['no span id', { contexts: { trace: { ...trace, span_id: 'short' } } }],
  ])('%s: with all of its spans', (_, fields) => {
    expect(digestTransactionOf(transaction(fields))).toEqual({
      events: [],
      rows: {},
      blobs: [],
      outcomes: [
        outcome('transaction', 'invalid', 1, 'invalid_transaction'),
        outcome('span', 'invalid', 3, 'invalid_transaction'),
      ],
    });
  });

  test('what is no JSON object', () => {
    for (const text of ['{"type":', '[]', '']) {
      expect(digestTransactionOf(Buffer.from(text)).outcomes).toEqual([
        outcome('transaction', 'invalid', 1, 'invalid_json'),
      ]);
    }
  });

  test('what an inbound filter matches, with all of its spans', () => {
    const { outcomes, rows } = digestTransactionOf(transaction({ transaction: 'GET /healthz' }));
    expect(rows).toEqual({});
    expect(outcomes).toEqual([
      outcome('transaction', 'filtered', 1, 'filtered-transaction'),
      outcome('span', 'filtered', 3, 'filtered-transaction'),
    ]);
  });

  test('a filter is told what the payload says', () => {
    const seen: unknown[] = [];
    const filterTransaction: IngestRules['filters']['filterTransaction'] = (facts) => {
      seen.push(facts);
      return null;
    };
    const request = { url: 'https://shop.example/cart', headers: { 'user-agent': 'Googlebot/2.1' } };
    digestTransactionOf(transaction({ request }), { rules: rulesWith({ filters: { filterTransaction } }) });
    expect(seen).toMatchObject([
      {
        name: 'GET /cart/:id',
        userAgent: 'Googlebot/2.1',
        release: 'shop@1.2.3',
        url: 'https://shop.example/cart',
      },
    ]);
  });
});

describe('spans that cannot be read', () => {
  test.each([
    ['no object', 'text', 'invalid_span'],
    ['no span id', child(1, { span_id: null }), 'invalid_span'],
    ['a trace id that is none', child(1, { trace_id: 'xyz' }), 'invalid_span'],
    ['no end', child(1, { timestamp: null }), 'timestamp'],
    ['an end before its start', child(1, { timestamp: STARTED }), 'timestamp'],
    ['a start in 1970', child(1, { start_timestamp: 1, timestamp: 2 }), 'timestamp'],
    ['the id of the transaction', child(1, { span_id: ROOT_ID }), 'duplicate'],
    ['the id of another', child(2), 'duplicate'],
  ])('%s: it alone is left out, with an outcome and a reason', (_, bad, reason) => {
    const { row, children, result } = storedTransaction(transaction({ spans: [child(2), bad, child(3)] }));
    expect(children.map(({ spanId }) => spanId)).toEqual([child(2).span_id, child(3).span_id]);
    expect(row.spanCount).toBe(2);
    expect(row.payload.errors).toMatchObject([{ type: 'invalid_data', name: 'spans.1' }]);
    expect(result.outcomes).toEqual([
      outcome('transaction', 'accepted', 1),
      outcome('span', 'accepted', 3),
      outcome('span', 'invalid', 1, reason),
    ]);
  });

  test('more than the bound are counted', () => {
    const spans = Array.from({ length: SPANS_PER_TRANSACTION_MAX + 5 }, (__, index) => child(index + 1));
    const { row, children, result } = storedTransaction(transaction({ spans }));
    expect(children).toHaveLength(SPANS_PER_TRANSACTION_MAX);
    expect(row.payload.errors).toMatchObject([{ type: 'too_many_items', name: 'spans' }]);
    expect(result.outcomes).toContainEqual(outcome('span', 'invalid', 5, 'too_many_spans'));
  });

  test('spans that are no list leave a reason', () => {
    const { row, children } = storedTransaction(transaction({ spans: { a: 1 } }));
    expect(children).toEqual([]);
    expect(row.payload.errors).toMatchObject([{ name: 'spans' }]);
  });

  test('measurements that are no numbers leave a reason', () => {
    const measurements = JSON.parse(
      '{"fcp":{"value":"fast"},"ttfb":5,"bad name":{"value":1},"__proto__":{"value":1},"lcp":{"value":1}}',
    );
    const { row } = storedTransaction(transaction({ measurements }));
    expect(row.measurements).toEqual({ lcp: 1 });
    expect(row.payload).toMatchObject({ measurements: { lcp: { value: 1, unit: 'none' } } });
    expect(row.payload.errors).toMatchObject([
      { name: 'measurements.fcp' },
      { name: 'measurements.ttfb' },
      { name: 'measurements.bad name' },
    ]);
  });
});

describe('the clock', () => {
  const HOUR = 3_600;
  const shifted = (seconds: number) =>
    transaction({
      start_timestamp: STARTED + seconds,
      timestamp: ENDED + seconds,
      spans: [child(1, { start_timestamp: STARTED + seconds, timestamp: STARTED + seconds + 1 })],
    });

  test('a drift of an hour moves the transaction and its spans', () => {
    const { row, root, children } = storedTransaction(shifted(-HOUR), {
      sentAtMs: FIXTURES_RECEIVED_AT_MS - HOUR * 1_000,
    });
    expect(row).toMatchObject({ startedAtUs: STARTED * 1_000_000, endedAtUs: ENDED * 1_000_000 });
    expect(root).toMatchObject({ startedAtUs: STARTED * 1_000_000, durationUs: 2_000_000 });
    expect(children).toMatchObject([{ startedAtUs: STARTED * 1_000_000, durationUs: 1_000_000 }]);
    expect(row.payload.errors).toMatchObject([{ type: 'clock_drift' }]);
  });

  test.each([
    ['over a minute ahead', HOUR, 'future_timestamp'],
    ['over 30 days old', -31 * 24 * HOUR, 'past_timestamp'],
  ])('what is %s ends when it was received', (_, seconds, problem) => {
    const { row, root, children } = storedTransaction(shifted(seconds));
    expect(row.endedAtUs).toBe(FIXTURES_RECEIVED_AT_MS * 1_000);
    expect(root.startedAtUs).toBe(FIXTURES_RECEIVED_AT_MS * 1_000 - 2_000_000);
    expect(children).toMatchObject([{ startedAtUs: root.startedAtUs, durationUs: 1_000_000 }]);
    expect(row.payload.errors).toMatchObject([{ type: problem }]);
  });
});

describe('scrubbing', () => {
  const redact = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value).replaceAll('hunter2', '[Filtered]'));
  const scrubber: Partial<IngestRules['scrubber']> = {
    scrubRecord: (_root, value) => redact(value) as Readonly<Record<string, unknown>>,
  };

  test('nothing that is taken out of the payload or a span is left in any row', () => {
    const result = digestTransactionOf(
      transaction({
        transaction: 'GET /hunter2',
        tags: { secret: 'hunter2' },
        user: { id: 'hunter2' },
        measurements: { lcp: { value: 'hunter2' } },
        contexts: {
          trace: { trace_id: TRACE_ID, span_id: ROOT_ID, data: { password: 'hunter2' } },
        },
        spans: ['hunter2', child(1, { description: 'SET hunter2', data: { password: 'hunter2' } })],
      }),
      { rules: rulesWith({ scrubber }) },
    );
    expect(result.rows.transactions).toHaveLength(1);
    expect(result.rows.spans).toHaveLength(2);
    expect(JSON.stringify(result)).not.toContain('hunter2');
  });

  test('a scrubber that empties everything leaves a row of its ids and times', () => {
    const { row, root, children } = storedTransaction(transaction(), {
      rules: rulesWith({ scrubber: { scrubRecord: () => ({}) } }),
    });
    expect(row).toMatchObject({ traceId: TRACE_ID, op: 'default', user: { id: null }, payload: {} });
    expect(root).toMatchObject({ spanId: ROOT_ID, attributes: {} });
    expect(children).toMatchObject([{ name: 'db.sql.query', attributes: {} }, {}]);
  });
});
