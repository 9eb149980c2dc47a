// Cycles in the source tree, of files and of folders. A cycle is reported as a knot: the whole group in which every
// member reaches every other one.
import type { InternalImport } from './read-source-tree.ts';

export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Files that import each other in a circle. */
export function findFileKnots(files: readonly string[], imports: readonly InternalImport[]): string[][] {
  return findKnots(toGraph(files, imports));
}

/**
 * Folders that import each other in a circle. Only siblings are compared: an import between two files becomes an edge
 * between the first two folders in which their paths differ, so `product/a` ↔ `product/b` is one knot however deep the files are.
 */
export function findFolderKnots(imports: readonly InternalImport[]): string[][] {
  const graph = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const parted = partingFolders(from, to);
    if (!parted) continue;
    const edges = graph.get(parted[0]) ?? new Set();
    graph.set(parted[0], edges.add(parted[1]));
    if (!graph.has(parted[1])) graph.set(parted[1], new Set());
  }
  return findKnots(graph);
}

/** Null when one file lies in a folder that contains the other. */
function partingFolders(from: string, to: string): [string, string] | null {
  const left = from.split('/');
  const right = to.split('/');
  const depth = left.findIndex((part, index) => part !== right[index]);
  if (depth < 0 || depth >= left.length - 1 || depth >= right.length - 1) return null;
  return [left.slice(0, depth + 1).join('/'), right.slice(0, depth + 1).join('/')];
}

function toGraph(files: readonly string[], imports: readonly InternalImport[]): Graph {
  const graph = new Map(files.map((file) => [file, new Set<string>()]));
  for (const { from, to } of imports) if (graph.has(to)) graph.get(from)?.add(to);
  return graph;
}

/** Tarjan's strongly connected components with more than one member, each sorted. */
function findKnots(graph: Graph): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();
  const knots: string[][] = [];
  const visit = (node: string): void => {
    const index = order.size;
    order.set(node, index);
    lowest.set(node, index);
    stack.push(node);
    onStack.add(node);
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) visit(next);
      if (onStack.has(next)) lowest.set(node, Math.min(lowest.get(node)!, lowest.get(next)!));
    }
    if (lowest.get(node) !== index) return;
    const knot = stack.splice(stack.indexOf(node));
    for (const member of knot) onStack.delete(member);
    if (knot.length > 1) knots.push(knot.sort());
  };
  for (const node of graph.keys()) visit(node);
  return knots.sort();
}
