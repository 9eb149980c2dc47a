import { expect, test } from 'vitest';
import { DEFAULT_INGEST_SETTINGS, type PerformanceSettings } from '#protocol/ingest-settings.ts';
import { digestEnvelope } from '../digest-envelope.ts';
import { itemContext, rawItem } from '../fixtures/digest-fixture.ts';
import { child, ROOT_ID, STARTED, TRACE_ID, transaction } from '../fixtures/trace-fixture.ts';
import { compileGroupingRules } from '../grouping/compile-grouping-rules.ts';
import { groupEvent } from '../grouping/group-event.ts';
import { compileIngestRules } from '../ingest-rules.ts';
import type { ItemContext } from '../item.ts';
import { describeEvent } from '../title.ts';

const SLOW = child(1, { description: 'SELECT * FROM carts WHERE id = 17', timestamp: STARTED + 1 });
const slow = (fields: object = {}) => transaction({ spans: [SLOW], ...fields });

const digest = (payload: object, context: Partial<ItemContext> = {}, known: readonly string[] = []) =>
  digestEnvelope([rawItem('transaction', payload)], itemContext({ mayDetect: true, ...context }), (id) =>
    known.includes(id),
  );
const rulesWith = (performance: Partial<PerformanceSettings>) =>
  compileIngestRules({
    ...DEFAULT_INGEST_SETTINGS,
    performance: { ...DEFAULT_INGEST_SETTINGS.performance, ...performance },
  });

test('a problem is an event of an issue of its own, with the evidence', () => {
  const { events, rows, outcomes } = digest(slow());
  expect(events).toMatchObject([
    {
      type: 'performance_slow_db_query',
      level: 'info',
      title: 'Slow DB query: SELECT * FROM carts WHERE id = %s',
      metadata: { type: 'Slow DB query', value: 'SELECT * FROM carts WHERE id = %s' },
      culprit: 'GET /cart/:id',
      release: 'shop@1.2.3',
      environment: 'production',
      user: { id: 'u-1', email: 'a@example.com' },
      traceId: TRACE_ID,
      payload: {
        fingerprint: ['performance_slow_db_query', 'SELECT * FROM carts WHERE id = %s'],
        contexts: { trace: { trace_id: TRACE_ID, span_id: SLOW.span_id } },
        occurrence: {
          transactionId: 'dad187904fee477e9aa75429a1eda314',
          transactionDurationUs: 2_000_000,
          offenderCount: 1,
          offenderDurationUs: 750_000,
          spans: [
            { role: 'parent', spanId: ROOT_ID },
            {
              role: 'offender',
              spanId: SLOW.span_id,
              op: 'db.sql.query',
              description: 'SELECT * FROM carts WHERE id = 17',
              offsetUs: 250_000,
              durationUs: 750_000,
            },
          ],
        },
      },
    },
  ]);
  // Nobody sent it: it is counted as nothing.
  expect(outcomes.map(({ category, quantity }) => [category, quantity])).toEqual([
    ['transaction', 1],
    ['span', 2],
  ]);
  expect(rows.transactions).toHaveLength(1);
});

test('digested again, it has the same ID; in another transaction, another ID and the same hash', () => {
  const [first] = digest(slow()).events;
  const [again] = digest(slow()).events;
  const [other] = digest(slow({ event_id: 'a'.repeat(32) })).events;
  expect(again).toEqual(first);
  expect(other?.eventId).not.toBe(first?.eventId);
  expect(other?.groupingHash).toBe(first?.groupingHash);
});

test('what is stored groups and describes as it did, whatever the rules of the project are', () => {
  const [event] = digest(slow()).events;
  const { rules } = compileGroupingRules({
    fingerprint: 'message:* -> everything title="Everything"\ntransaction:* -> everything',
    stackTrace: '',
  });
  expect(groupEvent(event!.payload, rules).hashes).toEqual(event?.groupingHashes);
  expect(digest(slow(), { rules: { ...rulesWith({}), grouping: rules } }).events[0]).toEqual(event);
  expect(describeEvent(event!.payload)).toEqual({ title: event?.title, metadata: event?.metadata });
});

test.each<[string, Partial<ItemContext>]>([
  ['detection is off', { rules: rulesWith({ isEnabled: false }) }],
  ['the detector is off', { rules: rulesWith({ disabledDetectors: ['performance_slow_db_query'] }) }],
  ['the budget is spent', { mayDetect: false }],
  ['its issue was discarded', { isDiscarded: () => true }],
])('when %s, the transaction is stored without events', (_, context) => {
  const { events, rows, outcomes } = digest(slow(), context);
  expect(events).toEqual([]);
  expect(rows.transactions).toHaveLength(1);
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted']);
});

test('a transaction that came before makes no event again', () => {
  const { events, outcomes } = digest(slow(), {}, ['dad187904fee477e9aa75429a1eda314']);
  expect(events).toEqual([]);
  expect(outcomes.every(({ reason }) => reason === 'duplicate')).toBe(true);
});

test('nobody can send an occurrence', () => {
  const sent = {
    message: 'x',
    type: 'performance_slow_db_query',
    occurrence: { type: 'performance_slow_db_query' },
  };
  const { events } = digestEnvelope([rawItem('event', sent)], itemContext({ mayDetect: true }), () => false);
  expect(events).toMatchObject([{ type: 'default' }]);
  expect(events[0]?.payload.occurrence).toBeUndefined();
});

test('what is scrubbed of a span is not in the event either', () => {
  const description = "SELECT a FROM b WHERE card = '4111 1111 1111 1111'";
  const { events, rows } = digest(slow({ spans: [{ ...SLOW, description }] }));
  expect(rows.spans[1]?.name).not.toContain('4111');
  expect(events).toHaveLength(1);
  expect(JSON.stringify(events)).not.toContain('4111 1111');
});
