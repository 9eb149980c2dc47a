import type { GroupingComponent } from '#pipeline/grouping/grouping-types.ts';

/** A part of a tree, told in one line. */
export type TreeLine = {
  depth: number;
  label: string;
  /** What is hashed; null for a part that holds others. */
  value: string | null;
  /** Also false where a part above does not. */
  contributes: boolean;
  hint: string | null;
};

/** Lines of one tree; those beyond are left out. */
export const TREE_LINES_MAX = 2_000;

/** A tree from top to bottom, each part before what it holds. */
export function treeLines(tree: GroupingComponent): readonly TreeLine[] {
  const lines: TreeLine[] = [];
  add(tree, 0, true);
  return lines;

  function add(component: GroupingComponent, depth: number, isReached: boolean): void {
    if (lines.length >= TREE_LINES_MAX) return;
    const contributes = isReached && component.contributes;
    const texts = component.values.filter((value) => typeof value === 'string');
    const label = component.name ?? component.id;
    const [value = null] = texts;
    lines.push({ depth, label, value, contributes, hint: component.hint });
    for (const text of texts.slice(1)) {
      if (lines.length < TREE_LINES_MAX) lines.push({ depth, label, value: text, contributes, hint: null });
    }
    for (const child of component.values) {
      if (typeof child !== 'string') add(child, depth + 1, contributes);
    }
  }
}
