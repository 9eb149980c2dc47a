import { expect, test } from 'vitest';
import { HOUR_MS } from '#lib/time.ts';
import { readClientReport } from './client-report.ts';

const NOW_MS = 1_790_000_000_000;
const read = (report: unknown) => readClientReport(Buffer.from(JSON.stringify(report)));
const entry = (category: string, reason: string, quantity = 1) => ({ reason, category, quantity });

test('what an SDK threw away becomes outcomes', () => {
  expect(
    read({
      timestamp: 1,
      discarded_events: [entry('error', 'queue_overflow', 23), entry('something_new', 'sample_rate', 2)],
    }),
  ).toEqual([
    { category: 'error', outcome: 'client_discard', reason: 'queue_overflow', quantity: 23 },
    { category: 'unknown', outcome: 'client_discard', reason: 'sample_rate', quantity: 2 },
  ]);
});

test('what a relay limited, filtered or sampled keeps its outcome', () => {
  expect(
    read({
      discarded_events: [entry('error', 'before_send')],
      rate_limited_events: [entry('transaction', 'key_quota', 5), entry('session', '')],
      filtered_events: [entry('error', 'browser-extensions', 3)],
      filtered_sampling_events: [
        entry('transaction', 'Sampled:1001,1500', 7),
        entry('transaction', 'because', 9),
      ],
    }),
  ).toEqual([
    { category: 'error', outcome: 'client_discard', reason: 'before_send', quantity: 1 },
    { category: 'transaction', outcome: 'rate_limited', reason: 'key_quota', quantity: 5 },
    { category: 'session', outcome: 'rate_limited', reason: '', quantity: 1 },
    { category: 'error', outcome: 'filtered', reason: 'browser-extensions', quantity: 3 },
    { category: 'transaction', outcome: 'filtered', reason: 'sampled', quantity: 7 },
  ]);
});

test('every category is known by the names that SDKs and relays use', () => {
  const names = [
    'log_item',
    'metric',
    'trace_metric',
    'metric_bucket',
    'profile_chunk_ui',
    'feedback',
    'default',
  ];
  expect(
    read({ discarded_events: names.map((name) => entry(name, 'x')) }).map(({ category }) => category),
  ).toEqual(['log_item', 'trace_metric', 'trace_metric', 'statsd', 'profile_chunk', 'feedback', 'default']);
  expect(read({ discarded_events: [entry('constructor', 'x')] })[0]?.category).toBe('unknown');
});

test('bytes and indexed copies of items that were counted already count nothing', () => {
  expect(read({ discarded_events: [entry('log_byte', 'x', 9_000), entry('span_indexed', 'x', 3)] })).toEqual(
    [],
  );
});

test('what makes no sense counts nothing', () => {
  expect(readClientReport(Buffer.from('{'))).toEqual([]);
  expect(read(null)).toEqual([]);
  expect(read([])).toEqual([]);
  expect(read('text')).toEqual([]);
  expect(read({ discarded_events: 'x' })).toEqual([]);
  expect(
    read({
      discarded_events: [
        null,
        entry('error', ''),
        entry('error', 'x'.repeat(201)),
        entry('error', 'x', 0),
        entry('error', 'x', -1),
        entry('error', 'x', 1.5),
        { reason: 'x', quantity: 1 },
      ],
    }),
  ).toEqual([]);
});

test('a reason in free text is counted under a name that is safe to show', () => {
  expect(read({ discarded_events: [entry('error', 'my hook said <no>')] })[0]?.reason).toBe(
    'my_hook_said__no_',
  );
});

test('a report cannot claim without bound', () => {
  const many = Array.from({ length: 1_000 }, () => entry('error', 'x', 1e15));
  const outcomes = read({ discarded_events: many, filtered_events: many });
  expect(outcomes).toHaveLength(100);
  expect(outcomes[0]?.quantity).toBe(1_000_000);
});

test('outcomes belong to the time of the report, by our clock', () => {
  const at = (timestamp: unknown, sentAtMs: number | null = null) =>
    readClientReport(Buffer.from(JSON.stringify({ timestamp, discarded_events: [entry('error', 'x')] })), {
      receivedAtMs: NOW_MS,
      sentAtMs,
    })[0]?.at;
  expect(at((NOW_MS - HOUR_MS) / 1000)).toBe(NOW_MS - HOUR_MS);
  expect(at(new Date(NOW_MS - HOUR_MS).toISOString())).toBe(NOW_MS - HOUR_MS);
  // A clock that is two hours behind.
  expect(at((NOW_MS - 3 * HOUR_MS) / 1000, NOW_MS - 2 * HOUR_MS)).toBe(NOW_MS - HOUR_MS);
  expect(at((NOW_MS - HOUR_MS) / 1000, NOW_MS - 60_000)).toBe(NOW_MS - HOUR_MS);
  for (const nonsense of [undefined, null, 'soon', 1, (NOW_MS + HOUR_MS) / 1000]) {
    expect(at(nonsense)).toBeUndefined();
  }
});
