/** What is needed of a span to find its place in its trace. */
export type PlacedSpan = {
  projectId: number;
  spanId: string;
  parentSpanId: string | null;
  startedAtUs: number;
};

export type ArrangedSpan<Span> = {
  span: Span;
  /** Index of the parent in the list, which always comes before; null for a root. */
  parent: number | null;
  /** Names a parent that the trace does not have: its project did not send it, or it was dropped. */
  isOrphan: boolean;
};

/**
 * The spans of a trace as they are read: each right before those that it started, brothers by their beginning. Spans that
 * name each other in a circle have no root, so the first of them becomes one.
 */
export function arrangeSpans<Span extends PlacedSpan>(spans: readonly Span[]): readonly ArrangedSpan<Span>[] {
  const ordered = spans.toSorted((a, b) => a.startedAtUs - b.startedAtUs);
  const known = new Set(ordered.map(({ spanId }) => spanId));
  const below = Map.groupBy(ordered, ({ parentSpanId }) => parentSpanId);
  const isRoot = ({ parentSpanId }: Span) => parentSpanId === null || !known.has(parentSpanId);
  const arranged: ArrangedSpan<Span>[] = [];
  const placed = new Set<Span>();
  for (const root of [...ordered.filter(isRoot), ...ordered]) {
    if (placed.has(root)) continue;
    placed.add(root);
    const open: ArrangedSpan<Span>[] = [
      { span: root, parent: null, isOrphan: isRoot(root) && root.parentSpanId !== null },
    ];
    for (let next = open.pop(); next; next = open.pop()) {
      const index = arranged.push(next) - 1;
      const children = (below.get(next.span.spanId) ?? []).filter((child) => !placed.has(child));
      for (const child of children) placed.add(child);
      for (const span of children.toReversed()) open.push({ span, parent: index, isOrphan: false });
    }
  }
  return arranged;
}
