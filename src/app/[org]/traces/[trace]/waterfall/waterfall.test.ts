import { describe, expect, test } from 'vitest';
import { arrangeSpans } from '#domain/traces/arrange-spans.ts';
import { findCriticalPath } from './critical-path.ts';
import { findSpans } from './find-spans.ts';
import { packSpans } from './packed-spans.ts';
import { type ShownSpan, type SpanTree, skewOf, unpackSpans } from './span-tree.ts';
import { listRows, rowsAbove, type Toggled } from './waterfall-rows.ts';

const MS = 1_000;
const ORIGIN_US = 1_700_000_000_000_000;

type Sketch = [id: string, parent: string | null, fromMs: number, toMs: number, op?: string, name?: string];

const tree = (...sketches: Sketch[]): SpanTree => {
  const spans = sketches.map(([spanId, parentSpanId, fromMs, toMs, op = 'task', name = spanId]) => ({
    projectId: 1,
    spanId,
    parentSpanId,
    isSegment: parentSpanId === null,
    op,
    name,
    status: 'ok',
    kind: '',
    startedAtUs: ORIGIN_US + fromMs * MS,
    durationUs: (toMs - fromMs) * MS,
  }));
  return unpackSpans(structuredClone(packSpans(arrangeSpans(spans), () => 'shop')));
};

const rowsOf = (own: SpanTree, toggled: Toggled = new Set()) =>
  listRows(own, toggled).map((row) => {
    const indent = '.'.repeat(row.depth);
    if (row.kind === 'gap') return `${indent}gap ${row.startUs / MS} to ${row.endUs / MS}`;
    if (row.kind === 'repeats') return `${indent}${row.spans.length} × ${row.spans[0].name}`;
    return indent + row.span.spanId;
  });

const loop = (count: number, children = false): Sketch[] => [
  ['root', null, 0, 1_000],
  ...Array.from(
    { length: count },
    (_, at): Sketch => [`q${at}`, 'root', at * 10, at * 10 + 10, 'db', 'SELECT 1'],
  ),
  ...(children ? ([['inside', 'q2', 20, 25]] as Sketch[]) : []),
  ['end', 'root', count * 10, 1_000],
];

describe('what is packed', () => {
  test('comes back with its places, its times from the beginning of the trace, and its texts', () => {
    const { spans, durationUs, byId, roots } = tree(
      ['a', null, 5, 100],
      ['b', 'a', 10, 20, 'db', 'SELECT'],
      ['c', 'gone', 0, 1],
    );
    expect(durationUs).toBe(100 * MS);
    expect(roots.map(({ spanId }) => spanId)).toEqual(['c', 'a']);
    expect(byId.get('c')).toMatchObject({ startUs: 0, isOrphan: true, isSegment: false });
    expect(byId.get('b')).toMatchObject({
      op: 'db',
      name: 'SELECT',
      status: 'ok',
      project: 'shop',
      startUs: 10 * MS,
      endUs: 20 * MS,
      depth: 1,
    });
    expect(byId.get('b')?.parent).toBe(byId.get('a'));
    expect(spans.map(({ index }) => index)).toEqual([0, 1, 2]);
  });

  test('names no operation where the SDK named none', () => {
    const { byId } = tree(['a', null, 0, 5, 'default'], ['b', 'a', 1, 2, 'db']);
    expect([byId.get('a')?.op, byId.get('b')?.op]).toEqual(['', 'db']);
  });

  test('of no span is nothing', () => {
    expect(tree()).toMatchObject({ spans: [], roots: [], durationUs: 1 });
  });
});

describe('rows', () => {
  test('are the spans, each under the one that started it; what is closed hides what is below', () => {
    const own = tree(['a', null, 0, 50], ['b', 'a', 0, 50], ['c', 'b', 0, 50], ['d', null, 50, 60]);
    expect(rowsOf(own)).toEqual(['a', '.b', '..c', 'd']);
    expect(rowsOf(own, new Set(['b']))).toEqual(['a', '.b', 'd']);
    expect(rowsOf(own, new Set(['c']))).toEqual(['a', '.b', '..c', 'd']);
  });

  test('of five brothers of one kind or more are one, until it is opened', () => {
    expect(rowsOf(tree(...loop(4)))).toEqual(['root', '.q0', '.q1', '.q2', '.q3', '.end']);
    const own = tree(...loop(5, true));
    expect(rowsOf(own)).toEqual(['root', '.5 × SELECT 1', '.end']);
    expect(rowsOf(own, new Set(['repeats q0']))).toEqual([
      'root',
      '.5 × SELECT 1',
      '..q0',
      '..q1',
      '..q2',
      '...inside',
      '..q3',
      '..q4',
      '.end',
    ]);
  });

  test('tell the time that no span accounts for, when it is long', () => {
    const own = tree(['a', null, 0, 1_000], ['b', 'a', 150, 400], ['c', 'a', 200, 300], ['d', 'a', 450, 700]);
    expect(rowsOf(own)).toEqual(['a', '.gap 0 to 150', '.b', '.c', '.d', '.gap 700 to 1000']);
    // A span that started nothing is no gap.
    expect(rowsOf(tree(['a', null, 0, 1_000]))).toEqual(['a']);
  });

  test('above a span are opened to show it', () => {
    const own = tree(...loop(5, true));
    const inside = own.byId.get('inside') as ShownSpan;
    const toggled = rowsAbove(inside, new Set(['root', 'q2']));
    expect(rowsOf(own, toggled)).toContain('...inside');
    expect(rowsOf(own, rowsAbove(own.byId.get('q4') as ShownSpan, new Set()))).toContain('..q4');
  });

  test('of a trace of any depth take no stack', () => {
    const deep = Array.from(
      { length: 50_000 },
      (_, at): Sketch => [`d${at}`, at ? `d${at - 1}` : null, 0, 1],
    );
    const own = tree(...deep);
    expect(listRows(own, new Set())).toHaveLength(50_000);
    expect(findCriticalPath(own.roots[0] as ShownSpan).size).toBeGreaterThan(0);
  });
});

describe('the critical path', () => {
  const pathOf = (own: SpanTree) =>
    [...findCriticalPath(own.roots[0] as ShownSpan)].map(([index, stretches]) => [
      own.spans[index]?.spanId,
      ...stretches.map(([from, to]) => [from / MS, to / MS]),
    ]);

  test('goes through what was waited for, and leaves out what ran beside it', () => {
    const own = tree(
      ['root', null, 0, 100],
      ['first', 'root', 10, 40],
      ['beside', 'root', 15, 35],
      ['second', 'root', 50, 90],
      ['inside', 'second', 60, 80],
    );
    expect(pathOf(own)).toEqual([
      ['root', [90, 100], [40, 50], [0, 10]],
      ['first', [10, 40]],
      ['second', [80, 90], [50, 60]],
      ['inside', [60, 80]],
    ]);
  });

  test('covers the time of the root once, whatever children claim', () => {
    const own = tree(['root', null, 10, 100], ['before', 'root', 0, 50], ['after', 'root', 60, 200]);
    const stretches = [...findCriticalPath(own.byId.get('root') as ShownSpan).values()].flat();
    expect(stretches.reduce((sum, [from, to]) => sum + to - from, 0)).toBe(90 * MS);
  });
});

test('a span that began before its parent says how much', () => {
  const own = tree(['a', null, 10, 100], ['early', 'a', 4, 20], ['near', 'a', 9.5, 20], ['in', 'a', 11, 20]);
  expect(own.spans.map((span) => [span.spanId, skewOf(span) / MS])).toEqual([
    ['a', 0],
    ['early', 6],
    ['near', 0],
    ['in', 0],
  ]);
});

describe('a search', () => {
  const own = tree(
    ['a', null, 0, 2_000, 'http.server', 'GET /checkout'],
    ['b', 'a', 0, 90, 'db.query', 'SELECT price'],
  );
  const found = (text: string) =>
    findSpans(own.spans, text, ({ spanId }) => spanId === 'b').map(({ spanId }) => spanId);

  test.each([
    ['checkout', ['a']],
    ['SELECT price', ['b']],
    ['select checkout', []],
    ['op:db', ['b']],
    ['op:http get', ['a']],
    ['status:ok', ['a', 'b']],
    ['project:shop >1s', ['a']],
    ['>=90ms', ['a', 'b']],
    ['>90.5', ['a']],
    ['span:b', ['b']],
    ['is:error', ['b']],
    ['  ', []],
  ])('for "%s"', (text, ids) => {
    expect(found(text)).toEqual(ids);
  });
});
