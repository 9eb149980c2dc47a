import { PROFILE_FRAMES_MAX, type ProfileFrame } from './profile-frames.ts';

/** Different stacks of one thread that are told apart; those beyond it end at a caller that is known. */
export const PROFILE_NODES_MAX = 60_000;
/** Stretches of time of one thread in which it ran one stack; later ones are left out. */
export const PROFILE_RUNS_MAX = 60_000;

/** What one thread ran, and when. Small enough for a page. */
export type ThreadProfile = {
  frames: readonly ProfileFrame[];
  /** The tree of calls: a caller comes before what it calls. `parents` is -1 for the outermost; `frames` are indexes. */
  nodes: { parents: readonly number[]; frames: readonly number[] };
  /** One after the other, in microseconds after the beginning. `nodes` is the innermost call, -1 where nothing ran. */
  runs: {
    startUs: readonly number[];
    durationUs: readonly number[];
    nodes: readonly number[];
    samples: readonly number[];
  };
  /** From the beginning to the end of the last run. */
  durationUs: number;
  /** Something was beyond a bound and is left out. */
  isCut: boolean;
};

/** The calls of a thread, each path once. */
export class CallPaths {
  readonly parents: number[] = [];
  readonly frames: number[] = [];
  isCut = false;
  readonly #indexes = new Map<number, number>();

  /** The node of a frame under its caller, -1 for none; the caller itself when there is no room for another. */
  add(parent: number, frame: number): number {
    const key = (parent + 1) * PROFILE_FRAMES_MAX + frame;
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    if (this.parents.length >= PROFILE_NODES_MAX) {
      this.isCut = true;
      return parent;
    }
    const node = this.parents.push(parent) - 1;
    this.frames.push(frame);
    this.#indexes.set(key, node);
    return node;
  }
}

/** Runs in their order; one that goes on with what ran before becomes part of it. */
export class RunList {
  readonly startUs: number[] = [];
  readonly durationUs: number[] = [];
  readonly nodes: number[] = [];
  readonly samples: number[] = [];
  isCut = false;
  endUs = 0;

  add(fromUs: number, toUs: number, node: number, samples: number): void {
    // Chunks may overlap by what their clocks differ.
    const startUs = Math.max(fromUs, this.endUs);
    if (!(toUs > startUs)) return;
    const last = this.nodes.length - 1;
    if (last >= 0 && this.nodes[last] === node && startUs - this.endUs < SAME_MOMENT_US) {
      this.durationUs[last] = toUs - (this.startUs[last] as number);
      this.samples[last] = (this.samples[last] as number) + samples;
    } else if (this.nodes.length < PROFILE_RUNS_MAX) {
      this.startUs.push(startUs);
      this.durationUs.push(toUs - startUs);
      this.nodes.push(node);
      this.samples.push(samples);
    } else {
      this.isCut = true;
      return;
    }
    this.endUs = toUs;
  }

  get runs(): ThreadProfile['runs'] {
    return {
      startUs: this.startUs,
      durationUs: this.durationUs,
      nodes: this.nodes,
      samples: this.samples,
    };
  }
}

/** Closer ends and beginnings are one. */
export const SAME_MOMENT_US = 1;

/** The same thread without the calls of libraries: what they called hangs below whoever of the program called them. */
export function hideLibraryFrames(thread: ThreadProfile): ThreadProfile {
  const paths = new CallPaths();
  const kept: number[] = [];
  for (const [node, parent] of thread.nodes.parents.entries()) {
    const above = parent < 0 ? -1 : (kept[parent] as number);
    const frame = thread.nodes.frames[node] as number;
    kept[node] = thread.frames[frame]?.isLibrary ? above : paths.add(above, frame);
  }
  const list = new RunList();
  const { startUs, durationUs, nodes, samples } = thread.runs;
  for (let run = 0; run < nodes.length; run++) {
    const from = startUs[run] as number;
    const node = nodes[run] as number;
    list.add(
      from,
      from + (durationUs[run] as number),
      node < 0 ? -1 : (kept[node] as number),
      samples[run] as number,
    );
  }
  return { ...thread, nodes: { parents: paths.parents, frames: paths.frames }, runs: list.runs };
}
