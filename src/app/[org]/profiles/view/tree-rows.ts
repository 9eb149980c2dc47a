import type { ShownProfile } from './shown-profile.ts';

/** Calls that take less of the whole are closed at first. */
const OPEN_SHARE_MIN = 0.05;
/** Calls that are open at first. */
const OPEN_FIRST_MAX = 40;

export type TreeRow = { node: number; depth: number; isOpen: boolean; hasCalls: boolean };

/** The calls in view, callers first, the longest of each first. */
export function listTreeRows({ weights }: ShownProfile, open: ReadonlySet<number>): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  const waiting = weights.roots.map((node) => ({ node, depth: 0 })).reverse();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const children = weights.children[next.node] ?? [];
    const isOpen = open.has(next.node);
    rows.push({ ...next, isOpen, hasCalls: children.length > 0 });
    if (!isOpen) continue;
    for (const child of children.toReversed()) waiting.push({ node: child, depth: next.depth + 1 });
  }
  return rows;
}

/** What is open at first: the calls that take most of the time. */
export function openAtFirst({ weights }: ShownProfile): ReadonlySet<number> {
  const open = new Set<number>();
  const waiting = [...weights.roots];
  for (let node = waiting.shift(); node !== undefined && open.size < OPEN_FIRST_MAX; node = waiting.shift()) {
    if ((weights.totalUs[node] as number) < weights.runningUs * OPEN_SHARE_MIN) continue;
    open.add(node);
    waiting.push(...(weights.children[node] ?? []));
  }
  return open;
}

/** Every call above one that matches. */
export function openToMatches(
  { thread, weights }: ShownProfile,
  matches: readonly boolean[],
): ReadonlySet<number> {
  const { parents, frames } = thread.nodes;
  const open = new Set<number>();
  for (const [node, frame] of frames.entries()) {
    if (!matches[frame] || weights.totalUs[node] === 0) continue;
    for (
      let above = parents[node] as number;
      above >= 0 && !open.has(above);
      above = parents[above] as number
    ) {
      open.add(above);
    }
  }
  return open;
}
