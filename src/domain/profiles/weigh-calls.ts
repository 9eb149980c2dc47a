import type { ThreadProfile } from './thread-profile.ts';

/** How long each call of a thread took, by its node. Microseconds. */
export type CallWeights = {
  /** In the call itself. */
  selfUs: readonly number[];
  /** In it and in what it called. */
  totalUs: readonly number[];
  /** Samples in which it was running. */
  samples: readonly number[];
  /** What each called, the longest first. */
  children: readonly (readonly number[])[];
  /** The outermost, the longest first. */
  roots: readonly number[];
  /** Of the thread: all in which something ran. */
  runningUs: number;
};

/** Every path of calls is one call, however often it was taken: the "left heavy" order. */
export function weighCalls({ nodes, runs }: ThreadProfile): CallWeights {
  const count = nodes.parents.length;
  const selfUs = zeros(count);
  const samples = zeros(count);
  for (let run = 0; run < runs.nodes.length; run++) {
    const node = runs.nodes[run] as number;
    if (node < 0) continue;
    selfUs[node] = (selfUs[node] as number) + (runs.durationUs[run] as number);
    samples[node] = (samples[node] as number) + (runs.samples[run] as number);
  }
  const totalUs = [...selfUs];
  const children: number[][] = Array.from({ length: count }, () => []);
  const roots: number[] = [];
  let runningUs = 0;
  // Callers come first: from the end, each is complete before it is added to its caller.
  for (let node = count - 1; node >= 0; node--) {
    const parent = nodes.parents[node] as number;
    const total = totalUs[node] as number;
    if (total === 0) continue;
    if (parent < 0) {
      roots.push(node);
      runningUs += total;
      continue;
    }
    totalUs[parent] = (totalUs[parent] as number) + total;
    samples[parent] = (samples[parent] as number) + (samples[node] as number);
    children[parent]?.push(node);
  }
  const longestFirst = (a: number, b: number) => (totalUs[b] as number) - (totalUs[a] as number) || a - b;
  for (const own of children) own.sort(longestFirst);
  return { selfUs, totalUs, samples, children, roots: roots.sort(longestFirst), runningUs };
}

/** A function with all its calls. Microseconds. */
export type FunctionWeight = {
  /** Index of the frame. */
  frame: number;
  selfUs: number;
  /** Of a function that calls itself, each moment once. */
  totalUs: number;
  samples: number;
};

/** The functions of a thread, those that took longest by themselves first. */
export function weighFunctions(thread: ThreadProfile, weights: CallWeights): readonly FunctionWeight[] {
  const { frames } = thread.nodes;
  const rows = new Map<number, FunctionWeight>();
  /** How often each frame is on the path that is walked. */
  const open = zeros(thread.frames.length);
  const path = weights.roots.map((node) => ({ node, isLeft: false }));
  for (let step = path.pop(); step; step = path.pop()) {
    const frame = frames[step.node] as number;
    if (step.isLeft) {
      open[frame] = (open[frame] as number) - 1;
      continue;
    }
    const row = rows.get(frame) ?? { frame, selfUs: 0, totalUs: 0, samples: 0 };
    rows.set(frame, row);
    row.selfUs += weights.selfUs[step.node] as number;
    if (open[frame] === 0) {
      row.totalUs += weights.totalUs[step.node] as number;
      row.samples += weights.samples[step.node] as number;
    }
    open[frame] = (open[frame] as number) + 1;
    path.push({ node: step.node, isLeft: true });
    for (const child of weights.children[step.node] ?? []) path.push({ node: child, isLeft: false });
  }
  return [...rows.values()].toSorted(
    (a, b) => b.selfUs - a.selfUs || b.totalUs - a.totalUs || a.frame - b.frame,
  );
}

const zeros = (length: number): number[] => new Array<number>(length).fill(0);
