import type { TraceOutline } from '#product/traces/trace-outline.ts';

/**
 * The spans of a trace, one list for each of their properties: half as large as one object for each span, and quickly
 * read. Texts that return are told once.
 */
export type PackedSpans = {
  /** Microseconds since the epoch; `starts` count from here. */
  originUs: number;
  ids: readonly string[];
  /** Index of the parent, which always comes before; -1 for none. */
  parents: readonly number[];
  starts: readonly number[];
  durations: readonly number[];
  texts: readonly string[];
  /** Indexes of `texts`; an empty one for no operation. */
  ops: readonly number[];
  names: readonly number[];
  statuses: readonly number[];
  projects: readonly number[];
  /** Indexes of the spans. */
  segments: readonly number[];
  orphans: readonly number[];
};

/** What a span has whose SDK named no operation. */
const NO_OPERATION = 'default';

export function packSpans(spans: TraceOutline['spans'], slugOf: (projectId: number) => string): PackedSpans {
  const texts = new Map<string, number>();
  const textOf = (text: string): number => {
    const known = texts.get(text);
    if (known !== undefined) return known;
    texts.set(text, texts.size);
    return texts.size - 1;
  };
  const originUs = spans.reduce((first, { span }) => Math.min(first, span.startedAtUs), Infinity);
  const indexesOf = (is: (span: TraceOutline['spans'][number]) => boolean) =>
    spans.flatMap((span, index) => (is(span) ? [index] : []));
  const packed = {
    originUs: spans.length === 0 ? 0 : originUs,
    ids: spans.map(({ span }) => span.spanId),
    parents: spans.map(({ parent }) => parent ?? -1),
    starts: spans.map(({ span }) => span.startedAtUs - originUs),
    durations: spans.map(({ span }) => span.durationUs),
    ops: spans.map(({ span }) => textOf(span.op === NO_OPERATION ? '' : span.op)),
    names: spans.map(({ span }) => textOf(span.name)),
    statuses: spans.map(({ span }) => textOf(span.status)),
    projects: spans.map(({ span }) => textOf(slugOf(span.projectId))),
    segments: indexesOf(({ span }) => span.isSegment),
    orphans: indexesOf(({ isOrphan }) => isOrphan),
  };
  return { ...packed, texts: [...texts.keys()] };
}
