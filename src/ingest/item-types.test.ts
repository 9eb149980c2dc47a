import { expect, test } from 'vitest';
import { STORED_TYPES } from '#pipeline/digest-envelope.ts';
import { MONITOR_FAILURE_ITEM } from '#pipeline/monitor-failures/digest-monitor-failure.ts';
import { canonicalType, categoryOf, quantityOf, ruleOf } from './item-types.ts';

/** Only routes of their own make these. */
const OF_OTHER_ROUTES = ['otlp_traces', 'otlp_logs', 'otlp_metrics', MONITOR_FAILURE_ITEM];

test('what an envelope may hold is what digest stores, and the reports of clients', () => {
  for (const type of STORED_TYPES) {
    const isAllowed = ruleOf({ type: canonicalType(type), contentType: null }) !== null;
    expect([type, isAllowed]).toEqual([type, !OF_OTHER_ROUTES.includes(type)]);
  }
  expect(ruleOf({ type: 'client_report', contentType: null })).not.toBeNull();
});

test('a container of spans has a bound of its own', () => {
  const container = ruleOf({ type: 'span', contentType: 'application/vnd.sentry.items.span.v2+json' });
  expect(container?.slot.countMax).toBe(1);
  expect(ruleOf({ type: 'span', contentType: 'application/json' })?.slot.countMax).toBe(25);
});

test('a container counts for as many as it says, within reason, everything else for one', () => {
  expect(quantityOf({ type: 'log', itemCount: 25 })).toBe(25);
  expect(quantityOf({ type: 'log', itemCount: 1e9 })).toBe(10_000);
  expect(quantityOf({ type: 'log', itemCount: 0 })).toBe(1);
  expect(quantityOf({ type: 'event', itemCount: 25 })).toBe(1);
});

test.each([
  ['profile_chunk_ui', 'profile_chunk'],
  ['metric_buckets', 'statsd'],
  ['otlp_logs', 'log_item'],
  ['otlp_metrics', 'trace_metric'],
  ['constructor', 'unknown'],
  ['__proto__', 'unknown'],
])('%s counts as %s', (type, category) => {
  expect(categoryOf(type)).toBe(category);
});
