import { SAME_MOMENT_US, type ThreadProfile } from './thread-profile.ts';
import type { CallWeights } from './weigh-calls.ts';

/** Boxes of one graph; those that would begin later are left out. */
export const FLAME_BOXES_MAX = 150_000;

/** Boxes of a flame graph; each comes after the one that it stands on. */
export type FlameGraph = {
  /** Microseconds from the left edge. */
  fromUs: readonly number[];
  toUs: readonly number[];
  /** 0 for the outermost calls. */
  depths: readonly number[];
  /** The call that a box stands for. */
  nodes: readonly number[];
  /** Index of the box of its caller; -1 for the outermost. */
  parents: readonly number[];
  /** Width of the whole. */
  widthUs: number;
  /** How many boxes stand on each other. */
  height: number;
  /** Boxes are left out: those that would begin later. */
  isCut: boolean;
};

/** Calls as they happened: one that goes on from sample to sample is one box. */
export function orderByTime(thread: ThreadProfile): FlameGraph {
  const boxes = new Boxes();
  const { startUs, durationUs, nodes } = thread.runs;
  /** Boxes that are not ended, the outermost first. */
  const open: number[] = [];
  const closeTo = (depth: number, atUs: number) => {
    for (const box of open.splice(depth)) boxes.toUs[box] = atUs;
  };
  let endUs = 0;
  for (let run = 0; run < nodes.length; run++) {
    const from = startUs[run] as number;
    if (from - endUs >= SAME_MOMENT_US) closeTo(0, endUs);
    const path = pathOf(thread, nodes[run] as number);
    let shared = 0;
    while (
      shared < open.length &&
      shared < path.length &&
      boxes.nodes[open[shared] as number] === path[shared]
    ) {
      shared += 1;
    }
    closeTo(shared, from);
    if (boxes.nodes.length + path.length > FLAME_BOXES_MAX) {
      boxes.isCut = true;
      break;
    }
    for (let depth = shared; depth < path.length; depth++) {
      open.push(boxes.add(path[depth] as number, depth, open.at(-1) ?? -1, from));
    }
    endUs = from + (durationUs[run] as number);
  }
  closeTo(0, endUs);
  return boxes.graph(thread.durationUs);
}

/** Calls by how long they took: every path once, the longest at the left. */
export function orderByWeight(weights: CallWeights): FlameGraph {
  const boxes = new Boxes();
  type Step = { node: number; depth: number; parent: number; atUs: number };
  const waiting: Step[] = [];
  const push = (nodes: readonly number[], depth: number, parent: number, atUs: number) => {
    const own: Step[] = [];
    let at = atUs;
    for (const node of nodes) {
      own.push({ node, depth, parent, atUs: at });
      at += weights.totalUs[node] as number;
    }
    for (const step of own.reverse()) waiting.push(step);
  };
  push(weights.roots, 0, -1, 0);
  for (let step = waiting.pop(); step; step = waiting.pop()) {
    if (boxes.nodes.length === FLAME_BOXES_MAX) {
      boxes.isCut = true;
      break;
    }
    const { node, depth, parent, atUs } = step;
    const box = boxes.add(node, depth, parent, atUs);
    boxes.toUs[box] = atUs + (weights.totalUs[node] as number);
    push(weights.children[node] ?? [], depth + 1, box, atUs);
  }
  return boxes.graph(weights.runningUs);
}

class Boxes {
  readonly fromUs: number[] = [];
  readonly toUs: number[] = [];
  readonly depths: number[] = [];
  readonly nodes: number[] = [];
  readonly parents: number[] = [];
  isCut = false;
  #height = 0;

  add(node: number, depth: number, parent: number, fromUs: number): number {
    this.toUs.push(fromUs);
    this.depths.push(depth);
    this.nodes.push(node);
    this.parents.push(parent);
    this.#height = Math.max(this.#height, depth + 1);
    return this.fromUs.push(fromUs) - 1;
  }

  graph(widthUs: number): FlameGraph {
    const { fromUs, toUs, depths, nodes, parents, isCut } = this;
    return { fromUs, toUs, depths, nodes, parents, widthUs, height: this.#height, isCut };
  }
}

/** From the outermost call to this one. */
function pathOf({ nodes }: ThreadProfile, leaf: number): number[] {
  const path: number[] = [];
  for (let node = leaf; node >= 0; node = nodes.parents[node] as number) path.push(node);
  return path.reverse();
}
