import type { FlameGraph } from '#domain/profiles/flame-graph.ts';

/** The box that an arrow key leads to: the caller, the longest call, or the next one at the same depth. */
export function boxBeside(graph: FlameGraph, box: number, key: string): number {
  if (box < 0) return graph.nodes.length > 0 ? 0 : -1;
  switch (key) {
    case 'ArrowUp':
      return (graph.parents[box] as number) < 0 ? box : (graph.parents[box] as number);
    case 'ArrowDown':
      return longestCall(graph, box);
    case 'ArrowLeft':
      return neighbour(graph, box, -1);
    case 'ArrowRight':
      return neighbour(graph, box, 1);
    default:
      return box;
  }
}

function longestCall({ parents, fromUs, toUs }: FlameGraph, box: number): number {
  let [longest, length] = [box, -1];
  for (let other = box + 1; other < parents.length; other++) {
    if (parents[other] !== box) continue;
    const own = (toUs[other] as number) - (fromUs[other] as number);
    if (own > length) [longest, length] = [other, own];
  }
  return longest;
}

/** Boxes of one depth stand in the list in the order of their beginnings. */
function neighbour({ depths }: FlameGraph, box: number, step: 1 | -1): number {
  for (let other = box + step; other >= 0 && other < depths.length; other += step) {
    if (depths[other] === depths[box]) return other;
  }
  return box;
}
