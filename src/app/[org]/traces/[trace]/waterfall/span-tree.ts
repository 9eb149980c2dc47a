import type { PackedSpans } from './packed-spans.ts';

/** A span as the waterfall shows it. Times are microseconds since the trace began. */
export type ShownSpan = {
  index: number;
  spanId: string;
  op: string;
  name: string;
  status: string;
  project: string;
  startUs: number;
  endUs: number;
  depth: number;
  parent: ShownSpan | null;
  children: readonly ShownSpan[];
  isSegment: boolean;
  isOrphan: boolean;
};

export type SpanTree = {
  /** In the order of reading. */
  spans: readonly ShownSpan[];
  roots: readonly ShownSpan[];
  byId: ReadonlyMap<string, ShownSpan>;
  /** How long the trace took, at least a microsecond. */
  durationUs: number;
};

export function unpackSpans(packed: PackedSpans): SpanTree {
  const text = (index: number | undefined) => packed.texts[index ?? -1] ?? '';
  const [segments, orphans] = [new Set(packed.segments), new Set(packed.orphans)];
  const childrenOf: ShownSpan[][] = packed.ids.map(() => []);
  const spans: ShownSpan[] = [];
  for (const [index, spanId] of packed.ids.entries()) {
    const parentIndex = packed.parents[index] ?? -1;
    const parent = spans[parentIndex] ?? null;
    const startUs = packed.starts[index] ?? 0;
    const span: ShownSpan = {
      index,
      spanId,
      op: text(packed.ops[index]),
      name: text(packed.names[index]),
      status: text(packed.statuses[index]),
      project: text(packed.projects[index]),
      startUs,
      endUs: startUs + (packed.durations[index] ?? 0),
      depth: parent === null ? 0 : parent.depth + 1,
      parent,
      children: childrenOf[index] ?? [],
      isSegment: segments.has(index),
      isOrphan: orphans.has(index),
    };
    spans.push(span);
    childrenOf[parentIndex]?.push(span);
  }
  return {
    spans,
    roots: spans.filter(({ parent }) => parent === null),
    byId: new Map(spans.map((span) => [span.spanId, span])),
    durationUs: spans.reduce((last, { endUs }) => Math.max(last, endUs), 1),
  };
}

export const durationOf = ({ startUs, endUs }: ShownSpan): number => endUs - startUs;

/** How much earlier than its parent a span began: clocks of two machines differ. Zero for none worth a word. */
export function skewOf({ startUs, parent }: ShownSpan): number {
  const earlierUs = parent === null ? 0 : parent.startUs - startUs;
  return earlierUs > SKEW_US_MIN ? earlierUs : 0;
}

/** Clocks of one machine are this exact. */
const SKEW_US_MIN = 1_000;
