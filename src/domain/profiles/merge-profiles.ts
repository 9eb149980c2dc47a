import type { ParsedProfile } from './parse-profile.ts';
import { FrameTable, keyAcrossReleases } from './profile-frames.ts';
import { stackNodes } from './record-thread.ts';
import { CallPaths, type ThreadProfile } from './thread-profile.ts';

/** A function in all merged profiles together. Microseconds. */
export type MergedFunction = {
  /** Index of the frame. */
  frame: number;
  selfUs: number;
  /** Of a function that calls itself, each moment once. */
  totalUs: number;
  /** Samples in which it was running. */
  samples: number;
  /** Samples in which it was the innermost call. */
  selfSamples: number;
  /** Total time in each profile in which it ran, ascending. */
  totalsUs: readonly number[];
};

export type MergedProfile = {
  /** Every path of calls as one run, one after the other: there is no time order. */
  thread: ThreadProfile;
  /** Those that took longest by themselves first. */
  functions: readonly MergedFunction[];
  profiles: number;
  samples: number;
};

/** The part of a profile that counts. Microseconds since the epoch. */
export type ProfileCut = {
  /** null when unknown: then a profile of a single thread counts. */
  threadId: string | null;
  fromUs: number;
  toUs: number;
  /** Added to the times of the samples: by so much the clock of the sender was wrong. */
  shiftUs: number;
};

/** Time and samples by the node of the innermost call, of one profile. */
export type OwnWeights = Map<number, { us: number; samples: number }>;

type Totals = Omit<MergedFunction, 'frame' | 'totalsUs'> & { totalsUs: number[] };

/**
 * Adds profiles up: every path of calls once, with its time in all of them. Of a transaction's profile the thread that the
 * transaction ran on counts, of a chunk of a continuous one all threads, or what one has in a stretch of time.
 */
export class ProfileMerger {
  readonly #table: FrameTable;
  readonly #paths = new CallPaths();
  /** By node: of all profiles. */
  readonly #selfUs: number[] = [];
  readonly #samples: number[] = [];
  /** By node: whether its function is among its callers. */
  readonly #isRepeated: boolean[] = [];
  /** By frame. */
  readonly #functions = new Map<number, Totals>();
  #profiles = 0;
  #isCut = false;

  /** `platform` is what the SDK calls the language: `python`, `node`. */
  constructor(platform: string) {
    this.#table = new FrameTable(platform, keyAcrossReleases);
  }

  /** False when it has nothing to add: too few samples, or no thread. */
  add(profile: ParsedProfile): boolean {
    const own: OwnWeights = new Map();
    this.weigh(profile, null, own);
    return this.addWeights(own);
  }

  /** Adds what a profile says to `own`: all of it, or with `cut` the samples that one thread has in a stretch of time. */
  weigh(profile: ParsedProfile, cut: ProfileCut | null, own: OwnWeights): void {
    const nodeOf = stackNodes({ profile }, this.#table, this.#paths);
    for (const { atUs, stacks } of threadsOf(profile, cut)) {
      for (let at = 0; at + 1 < atUs.length; at++) {
        const fromUs = (atUs[at] as number) + (cut?.shiftUs ?? 0);
        if (cut && fromUs >= cut.toUs) break;
        if (cut && fromUs < cut.fromUs) continue;
        const nextUs = (atUs[at + 1] as number) + (cut?.shiftUs ?? 0);
        const us = Math.min(nextUs, cut?.toUs ?? Infinity) - fromUs;
        const node = nodeOf(stacks[at] as number);
        if (!(us > 0) || node < 0) continue;
        const known = own.get(node);
        if (known) {
          known.us += us;
          known.samples += 1;
        } else own.set(node, { us, samples: 1 });
      }
    }
    if (profile.isCut) this.#isCut = true;
  }

  /** Counts as one profile; false when it is nothing. */
  addWeights(own: OwnWeights): boolean {
    if (own.size === 0) return false;
    this.#noteRepeated();
    this.#addUp(own);
    this.#profiles += 1;
    return true;
  }

  finish(): MergedProfile {
    const runs = { startUs: [], durationUs: [], nodes: [], samples: [] } as {
      [Column in keyof ThreadProfile['runs']]: number[];
    };
    let atUs = 0;
    let samples = 0;
    for (const [node, us] of this.#selfUs.entries()) {
      if (!(us > 0)) continue;
      runs.startUs.push(atUs);
      runs.durationUs.push(us);
      runs.nodes.push(node);
      runs.samples.push(this.#samples[node] as number);
      atUs += us;
      samples += this.#samples[node] as number;
    }
    const { parents, frames, isCut } = this.#paths;
    return {
      thread: {
        frames: this.#table.frames,
        nodes: { parents, frames },
        runs,
        durationUs: atUs,
        isCut: this.#isCut || isCut || this.#table.isCut,
      },
      functions: [...this.#functions]
        .map(([frame, row]) => ({ frame, ...row, totalsUs: row.totalsUs.toSorted((a, b) => a - b) }))
        .toSorted((a, b) => b.selfUs - a.selfUs || b.totalUs - a.totalUs || a.frame - b.frame),
      profiles: this.#profiles,
      samples,
    };
  }

  /** Of the nodes that are new. A caller comes before what it calls. */
  #noteRepeated(): void {
    const { parents, frames } = this.#paths;
    for (let node = this.#isRepeated.length; node < parents.length; node++) {
      let above = parents[node] as number;
      while (above >= 0 && frames[above] !== frames[node]) above = parents[above] as number;
      this.#isRepeated.push(above >= 0);
      this.#selfUs.push(0);
      this.#samples.push(0);
    }
  }

  #addUp(own: OwnWeights): void {
    const { parents, frames } = this.#paths;
    const totalUs = new Float64Array(parents.length);
    const samples = new Float64Array(parents.length);
    const inProfile = new Map<number, number>();
    for (const [node, weight] of own) {
      totalUs[node] = weight.us;
      samples[node] = weight.samples;
      this.#selfUs[node] = (this.#selfUs[node] as number) + weight.us;
      this.#samples[node] = (this.#samples[node] as number) + weight.samples;
      const row = this.#functionOf(frames[node] as number);
      row.selfUs += weight.us;
      row.selfSamples += weight.samples;
    }
    // From the end, each node is complete before it is added to its caller.
    for (let node = parents.length - 1; node >= 0; node--) {
      const us = totalUs[node] as number;
      if (us === 0) continue;
      const parent = parents[node] as number;
      if (parent >= 0) {
        totalUs[parent] = (totalUs[parent] as number) + us;
        samples[parent] = (samples[parent] as number) + (samples[node] as number);
      }
      if (this.#isRepeated[node]) continue;
      const frame = frames[node] as number;
      const row = this.#functionOf(frame);
      row.totalUs += us;
      row.samples += samples[node] as number;
      inProfile.set(frame, (inProfile.get(frame) ?? 0) + us);
    }
    for (const [frame, us] of inProfile) this.#functionOf(frame).totalsUs.push(us);
  }

  #functionOf(frame: number): Totals {
    const known = this.#functions.get(frame);
    if (known) return known;
    const row: Totals = { selfUs: 0, totalUs: 0, samples: 0, selfSamples: 0, totalsUs: [] };
    this.#functions.set(frame, row);
    return row;
  }
}

function threadsOf(
  { version, threads, activeThreadId }: ParsedProfile,
  cut: ProfileCut | null,
): ParsedProfile['threads'] {
  if (cut) {
    return cut.threadId === null
      ? threads.filter(() => threads.length === 1)
      : threads.filter(({ id }) => id === cut.threadId);
  }
  if (version === 2) return threads;
  const active = threads.find(({ id }) => id === activeThreadId) ?? threads[0];
  return active ? [active] : [];
}
