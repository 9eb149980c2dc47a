import { expect, test } from 'vitest';
import { readClientReport } from './client-report.ts';

const read = (report: unknown) => readClientReport(Buffer.from(JSON.stringify(report)));

test('what an SDK threw away becomes outcomes', () => {
  expect(
    read({
      timestamp: 1,
      discarded_events: [
        { reason: 'queue_overflow', category: 'error', quantity: 23 },
        { reason: 'sample_rate', category: 'something_new', quantity: 2 },
      ],
    }),
  ).toEqual([
    { category: 'error', outcome: 'client_discard', reason: 'queue_overflow', quantity: 23 },
    { category: 'unknown', outcome: 'client_discard', reason: 'sample_rate', quantity: 2 },
  ]);
});

test('what makes no sense counts nothing', () => {
  expect(readClientReport(Buffer.from('{'))).toEqual([]);
  expect(read(null)).toEqual([]);
  expect(read({ discarded_events: 'x' })).toEqual([]);
  expect(
    read({
      discarded_events: [
        null,
        { reason: 'x y', category: 'error', quantity: 1 },
        { reason: 'x', category: 'error', quantity: -1 },
        { reason: 'x', category: 'error', quantity: 1.5 },
      ],
    }),
  ).toEqual([]);
});

test('a report cannot claim without bound', () => {
  const entry = { reason: 'x', category: 'error', quantity: 1e15 };
  const outcomes = read({ discarded_events: Array.from({ length: 1_000 }, () => entry) });
  expect(outcomes).toHaveLength(100);
  expect(outcomes[0]?.quantity).toBe(1_000_000);
});
