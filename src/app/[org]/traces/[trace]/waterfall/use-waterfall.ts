'use client';

import { useMemo, useState } from 'react';
import type { TraceMark } from '../place-errors.ts';
import { findCriticalPath, type Stretch } from './critical-path.ts';
import { findSpans } from './find-spans.ts';
import type { PackedSpans } from './packed-spans.ts';
import { durationOf, type ShownSpan, unpackSpans } from './span-tree.ts';
import type { TimeWindow } from './time-window.ts';
import { listRows, rowsAbove, type Toggled } from './waterfall-rows.ts';

const US_PER_MS = 1_000;
/** As many as there are colors for series. */
const COLORS = 6;

/** What a waterfall shows, and what has been opened, searched and zoomed in it. */
export function useWaterfall(packed: PackedSpans, errors: readonly TraceMark[], selectedId: string | null) {
  const tree = useMemo(() => unpackSpans(packed), [packed]);
  const selected = (selectedId && tree.byId.get(selectedId)) || null;
  const [toggled, setToggled] = useState<Toggled>(() =>
    selected ? rowsAbove(selected, new Set()) : new Set(),
  );
  const [zoomed, setZoomed] = useState<TimeWindow | null>(null);
  const [query, setQuery] = useState('');
  const [isCriticalShown, setIsCriticalShown] = useState(true);
  const rows = useMemo(() => listRows(tree, toggled), [tree, toggled]);

  const colorOf = useMemo(() => {
    const projects = [...new Set(tree.spans.map(({ project }) => project))];
    const colors = new Map(
      projects.map((project, index) => [
        project,
        `var(--color-chart${index % COLORS ? `-${(index % COLORS) + 1}` : ''})`,
      ]),
    );
    return (project: string) => colors.get(project) ?? 'var(--color-chart)';
  }, [tree]);

  const errorTimes = useMemo(() => {
    const times = new Map<string, number[]>();
    for (const { spanId, atMs } of errors) {
      if (spanId === null) continue;
      const at = atMs * US_PER_MS - packed.originUs;
      times.set(spanId, [...(times.get(spanId) ?? []), at]);
    }
    return times;
  }, [errors, packed]);
  const errorsOf = (span: ShownSpan): readonly number[] => errorTimes.get(span.spanId) ?? NONE;

  const critical = useMemo(() => {
    const longest = tree.roots.reduce<ShownSpan | null>(
      (best, root) => (best && durationOf(best) >= durationOf(root) ? best : root),
      null,
    );
    // A root alone would be all of it.
    return longest && longest.children.length > 0 ? findCriticalPath(longest) : EMPTY;
  }, [tree]);
  const criticalOf = ({ index }: ShownSpan): readonly Stretch[] =>
    (isCriticalShown && critical.get(index)) || NO_STRETCHES;

  // biome-ignore lint/correctness/useExhaustiveDependencies: errorsOf reads errorTimes alone
  const matches = useMemo(
    () => findSpans(tree.spans, query, (span) => errorsOf(span).length > 0),
    [tree, query, errorTimes],
  );

  function toggle(key: string): void {
    const next = new Set(toggled);
    if (!next.delete(key)) next.add(key);
    setToggled(next);
  }

  return {
    tree,
    rows,
    selected,
    toggle,
    /** Opens what hides a span. */
    reveal: (span: ShownSpan) => setToggled((before) => rowsAbove(span, before)),
    collapseAll: () =>
      setToggled(
        new Set(tree.spans.filter(({ children }) => children.length > 0).map(({ spanId }) => spanId)),
      ),
    expandAll: () => setToggled(new Set()),
    window: zoomed ?? { fromUs: 0, toUs: tree.durationUs },
    isZoomed: zoomed !== null,
    setWindow: setZoomed,
    query,
    setQuery,
    matches,
    hasCriticalPath: critical.size > 0,
    isCriticalShown,
    setIsCriticalShown,
    colorOf,
    errorsOf,
    criticalOf,
  };
}

const NONE: readonly number[] = [];
const NO_STRETCHES: readonly Stretch[] = [];
const EMPTY: ReadonlyMap<number, readonly Stretch[]> = new Map();
