import type { Grouping, GroupingVariant } from '#pipeline/grouping/grouping-types.ts';
import { type ComparedLine, compareLines } from './compare-lines.ts';
import { type TreeLine, treeLines } from './tree-lines.ts';

export type ComparedVariant = {
  name: string;
  /** null where a side has no such variant, or it does not contribute. */
  hashes: readonly [string | null, string | null];
  lines: readonly ComparedLine<TreeLine>[];
};

export type ComparedGroupings = {
  /** A hash that both events have: then they are one issue by the rules. */
  common: string | null;
  /** Variants that contribute on either side, in the order of the first. */
  variants: readonly ComparedVariant[];
};

/** Why two events are one issue, or are not: what each variant hashed of them, side by side. */
export function compareGroupings(left: Grouping, right: Grouping): ComparedGroupings {
  const names = [...new Set([...Object.keys(left.variants), ...Object.keys(right.variants)])];
  const variants = names.flatMap((name): ComparedVariant[] => {
    const [a, b] = [left.variants[name], right.variants[name]];
    if (!a?.contributes && !b?.contributes) return [];
    return [
      {
        name,
        hashes: [a?.hash ?? null, b?.hash ?? null],
        lines: compareLines(linesOf(a), linesOf(b), keyOf),
      },
    ];
  });
  return { common: left.hashes.find((hash) => right.hashes.includes(hash)) ?? null, variants };
}

/** What is hashed, and the parts that hold it. */
function linesOf(variant: GroupingVariant | undefined): readonly TreeLine[] {
  if (!variant) return [];
  if (variant.tree && variant.contributes) return treeLines(variant.tree).filter((line) => line.contributes);
  return variant.values.map((value) => ({
    depth: 0,
    label: variant.name,
    value,
    contributes: variant.contributes,
    hint: null,
  }));
}

const keyOf = ({ depth, label, value }: TreeLine): string => `${depth} ${label} ${value ?? ''}`;
