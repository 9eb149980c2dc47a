import type { ShownSpan } from './span-tree.ts';

/** Stretches of a span, in microseconds since the trace began. */
export type Stretch = readonly [fromUs: number, toUs: number];

/**
 * What the time of a root was spent on, by the index of each span: had any of these stretches been shorter, the root
 * would have been. Read from its end: at each moment, of those that had begun, the span that ended last was waited for.
 */
export function findCriticalPath(root: ShownSpan): ReadonlyMap<number, readonly Stretch[]> {
  const path = new Map<number, Stretch[]>();
  const note = ({ index }: ShownSpan, fromUs: number, toUs: number) => {
    if (toUs <= fromUs) return;
    const own = path.get(index);
    if (own) own.push([fromUs, toUs]);
    else path.set(index, [[fromUs, toUs]]);
  };
  const open = [{ span: root, fromUs: root.startUs, toUs: root.endUs }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { span, fromUs, toUs } = next;
    let cursorUs = toUs;
    for (const child of span.children.toSorted((a, b) => b.endUs - a.endUs)) {
      const endUs = Math.min(child.endUs, toUs);
      const startUs = Math.max(child.startUs, fromUs);
      // It ran beside one that was waited for longer.
      if (endUs > cursorUs || startUs >= endUs) continue;
      note(span, endUs, cursorUs);
      open.push({ span: child, fromUs: startUs, toUs: endUs });
      cursorUs = startUs;
    }
    note(span, fromUs, cursorUs);
  }
  return path;
}
