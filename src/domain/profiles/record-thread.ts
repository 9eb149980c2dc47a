import type { ParsedProfile, ThreadSamples } from './parse-profile.ts';
import { FrameTable } from './profile-frames.ts';
import { CallPaths, RunList, type ThreadProfile } from './thread-profile.ts';

/** Chunks that are further apart are not one: the profiler was off in between, or a chunk is missing. */
const CHUNK_GAP_US_MAX = 1_000_000;

/** What a profile, or a chunk of one, says of the thread. */
export type ThreadPart = {
  profile: Pick<ParsedProfile, 'frames' | 'stacks' | 'isCut'>;
  samples: ThreadSamples;
  /** Added to the times of the samples: by so much the clock of the sender was wrong. */
  shiftUs: number;
};

/**
 * One thread out of a profile, or out of the chunks of one, oldest first. A sample lasts until the next one; the last one
 * before a gap only ends the one before it. Of `window` (in the clock of the samples) only what lies within; time counts
 * from its beginning, else from the first sample of a chunk, or from the beginning of the profile for `originUs` 0.
 */
export function recordThread(
  parts: readonly ThreadPart[],
  {
    platform,
    originUs,
    window,
  }: { platform: string; originUs: number; window: { fromUs: number; toUs: number } | null },
): ThreadProfile {
  const table = new FrameTable(platform);
  const paths = new CallPaths();
  const list = new RunList();
  for (const [index, part] of parts.entries()) {
    const nodeOf = stackNodes(part, table, paths);
    const { atUs, stacks } = part.samples;
    for (let at = 0; at < atUs.length; at++) {
      const fromUs = (atUs[at] as number) + part.shiftUs;
      const next = atUs[at + 1];
      const toUs = next === undefined ? beginningAfter(parts[index + 1], fromUs) : next + part.shiftUs;
      const [from, to] = window
        ? [Math.max(fromUs, window.fromUs), Math.min(toUs, window.toUs)]
        : [fromUs, toUs];
      if (to > from) list.add(from - originUs, to - originUs, nodeOf(stacks[at] as number), 1);
    }
  }
  return {
    frames: table.frames,
    nodes: { parents: paths.parents, frames: paths.frames },
    runs: list.runs,
    durationUs: list.endUs,
    isCut: list.isCut || paths.isCut || table.isCut || parts.some(({ profile }) => profile.isCut),
  };
}

/** When the next chunk begins, if it goes on with this one; else the moment itself. */
function beginningAfter(next: ThreadPart | undefined, fromUs: number): number {
  const first = next?.samples.atUs[0];
  if (next === undefined || first === undefined) return fromUs;
  const beginsUs = first + next.shiftUs;
  return beginsUs - fromUs <= CHUNK_GAP_US_MAX ? Math.max(fromUs, beginsUs) : fromUs;
}

/** The innermost call of each stack of a part; -1 of an empty one. */
export function stackNodes(
  { profile }: Pick<ThreadPart, 'profile'>,
  table: FrameTable,
  paths: CallPaths,
): (stack: number) => number {
  const frames: (number | null)[] = [];
  const nodes: number[] = [];
  return (stack) => {
    const known = nodes[stack];
    if (known !== undefined) return known;
    let node = -1;
    for (const sent of profile.stacks[stack] ?? []) {
      const own = profile.frames[sent];
      if (frames[sent] === undefined) frames[sent] = own ? table.addFrame(own) : null;
      const frame = frames[sent];
      if (frame !== null && frame !== undefined) node = paths.add(node, frame);
    }
    nodes[stack] = node;
    return node;
  };
}
