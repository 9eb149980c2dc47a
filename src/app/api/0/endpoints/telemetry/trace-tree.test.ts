import { describe, expect, test } from 'vitest';
import type { Trace } from '#product/traces/traces.ts';
import type { DigestedSpan } from '#protocol/telemetry.ts';
import { serializeTrace, type TraceEntry, type TraceSpan } from './trace-tree.ts';

const span = (spanId: string, parentSpanId: string | null): DigestedSpan =>
  ({ spanId, parentSpanId, projectId: 1, startedAtUs: 1_500_000, durationUs: 2_500 }) as DigestedSpan;

const traceOf = (spans: readonly DigestedSpan[]): Trace =>
  ({ spans, errors: [], projects: [{ id: 1, slug: 'web' }] }) as unknown as Trace;

const isSpan = (entry: TraceEntry): entry is TraceSpan => 'children' in entry;
/** `a(b c(d))` for a tree. */
const print = (entries: readonly TraceEntry[]): string =>
  entries
    .filter(isSpan)
    .map((each) => each.event_id + (each.children.length > 0 ? `(${print(each.children)})` : ''))
    .join(' ');
const printed = (...edges: readonly (readonly [string, string | null])[]): string =>
  print(serializeTrace(traceOf(edges.map(([id, parent]) => span(id, parent)))));

describe('a trace as a tree', () => {
  test('children stand below their parent, in the order of time', () => {
    expect(printed(['a', null], ['b', 'a'], ['c', 'a'], ['d', 'c'])).toBe('a(b c(d))');
  });

  test('a parent may have begun after its child', () => {
    expect(printed(['b', 'a'], ['a', null])).toBe('a(b)');
  });

  test('a span whose parent is not there is a root', () => {
    expect(printed(['b', 'gone'], ['a', null])).toBe('b a');
  });

  test('spans that are their own ancestors are all there, once', () => {
    expect(printed(['a', 'c'], ['b', 'a'], ['c', 'b'], ['d', 'd'])).toBe('a(b(c)) d');
  });

  test('a chain deeper than the bound goes on at the top', () => {
    const chain = Array.from({ length: 450 }, (_, at) => span(`s${at}`, at === 0 ? null : `s${at - 1}`));
    const roots = serializeTrace(traceOf(chain)).filter(isSpan);
    expect(roots.map(({ event_id }) => event_id)).toEqual(['s0', 's200', 's400']);
  });

  test('times are seconds, durations milliseconds', () => {
    expect(serializeTrace(traceOf([span('a', null)]))[0]).toMatchObject({
      start_timestamp: 1.5,
      end_timestamp: 1.5025,
      duration: 2.5,
      project_slug: 'web',
    });
  });
});
