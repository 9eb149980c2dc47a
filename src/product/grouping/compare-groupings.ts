import { invalid, notFound } from '#lib/errors.ts';
import type { Grouping, GroupingComponent, GroupingVariant } from '#pipeline/grouping/grouping-types.ts';
import type { Context } from '#product/context.ts';
import { getIssue } from '#product/issues/get-issue.ts';
import { findEventsOfIssue } from '#product/issues/issue-events.ts';
import { eventScope, listVisibleProjects } from '#product/visible-projects.ts';
import { parseEventId } from '#protocol/event-id.ts';
import { isShortId } from '#protocol/short-id.ts';
import type { StoredEvent } from '#storage/ports/events.ts';

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

/** The event of an id, or the newest one with a body of an issue's short id. Throws Invalid and NotFound. */
export async function findComparedEvent(ctx: Context, name: string): Promise<StoredEvent> {
  const eventId = parseEventId(name);
  if (eventId === null && !isShortId(name)) {
    throw invalid("Enter an issue's short ID, such as WEB-3F, or an event ID", 'with');
  }
  const event = eventId === null ? await ofIssue(name) : await byId(eventId);
  if (!event) throw notFound(`No stored events found for "${name.slice(0, 80)}"`);
  return event;

  async function byId(id: string): Promise<StoredEvent | null> {
    const projects = await listVisibleProjects(ctx);
    return ctx.stores.events.findEvent(eventScope(ctx, projects), id);
  }

  async function ofIssue(shortId: string): Promise<StoredEvent | null> {
    const issue = await getIssue(ctx, shortId);
    const scope = eventScope(ctx, [issue.projectId]);
    return ctx.stores.events.findEdgeEvent(scope, await findEventsOfIssue(ctx, issue), 'recommended');
  }
}

/** `left` and `right` stand on one side only. */
export type ComparedLine<Line> = { side: 'both' | 'left' | 'right'; line: Line };

/** Lines of each side that are compared: the work grows with both numbers together. */
export const COMPARED_LINES_MAX = 500;

/** The longest common run of lines, with what each side has besides; what only the left has stands before. */
export function compareLines<Line>(
  left: readonly Line[],
  right: readonly Line[],
  keyOf: (line: Line) => string,
): readonly ComparedLine<Line>[] {
  const a = left.slice(0, COMPARED_LINES_MAX);
  const b = right.slice(0, COMPARED_LINES_MAX);
  const keysA = a.map(keyOf);
  const keysB = b.map(keyOf);
  const width = b.length + 1;
  // Length of the longest common run from (i, j) on.
  const runs = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const here = i * width + j;
      runs[here] =
        keysA[i] === keysB[j] ? runs[here + width + 1]! + 1 : Math.max(runs[here + width]!, runs[here + 1]!);
    }
  }
  const compared: ComparedLine<Line>[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && keysA[i] === keysB[j]) {
      compared.push({ side: 'both', line: a[i++]! });
      j += 1;
    } else if (j >= b.length || (i < a.length && runs[(i + 1) * width + j]! >= runs[i * width + j + 1]!)) {
      compared.push({ side: 'left', line: a[i++]! });
    } else {
      compared.push({ side: 'right', line: b[j++]! });
    }
  }
  return compared;
}

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
