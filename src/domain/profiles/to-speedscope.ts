import { orderByTime } from './flame-graph.ts';
import type { ThreadProfile } from './thread-profile.ts';

/** Threads of one file: those with the most samples. */
export const SPEEDSCOPE_THREADS_MAX = 50;
/** Calls of all threads of one file; threads that would exceed it are left out. */
export const SPEEDSCOPE_CALLS_MAX = 300_000;

type SpeedscopeFile = {
  $schema: string;
  name: string;
  exporter: string;
  activeProfileIndex: number;
  shared: { frames: { name: string; file?: string; line?: number; col?: number }[] };
  profiles: {
    type: 'evented';
    name: string;
    unit: 'microseconds';
    startValue: number;
    endValue: number;
    /** `O` opens a call and `C` closes it; `frame` is an index of the shared frames. */
    events: { type: 'O' | 'C'; frame: number; at: number }[];
  }[];
};

/**
 * A profile as a file that speedscope opens. `threads`: the one that is shown first in front.
 * Source: https://www.speedscope.app/file-format-schema.json
 */
export function toSpeedscope(
  name: string,
  threads: readonly { name: string; thread: ThreadProfile }[],
): SpeedscopeFile {
  const file: SpeedscopeFile = {
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    name,
    exporter: 'errata',
    activeProfileIndex: 0,
    shared: { frames: [] },
    profiles: [],
  };
  let callsLeft = SPEEDSCOPE_CALLS_MAX;
  for (const { name: threadName, thread } of threads.slice(0, SPEEDSCOPE_THREADS_MAX)) {
    const { nodes, fromUs, toUs, parents, widthUs } = orderByTime(thread);
    if (nodes.length > callsLeft) continue;
    callsLeft -= nodes.length;
    const offset = file.shared.frames.length;
    for (const { name: frameName, file: path, line, column } of thread.frames) {
      file.shared.frames.push({
        name: frameName,
        ...(path === '' ? {} : { file: path }),
        ...(line === null ? {} : { line }),
        ...(column === null ? {} : { col: column }),
      });
    }
    const events: SpeedscopeFile['profiles'][number]['events'] = [];
    const frameOf = (box: number) => offset + (thread.nodes.frames[nodes[box] as number] as number);
    const open: number[] = [];
    const closeTo = (parent: number) => {
      for (let box = open.at(-1); box !== undefined && box !== parent; box = open.at(-1)) {
        events.push({ type: 'C', frame: frameOf(box), at: toUs[box] as number });
        open.pop();
      }
    };
    for (let box = 0; box < nodes.length; box++) {
      closeTo(parents[box] as number);
      events.push({ type: 'O', frame: frameOf(box), at: fromUs[box] as number });
      open.push(box);
    }
    closeTo(-1);
    file.profiles.push({
      type: 'evented',
      name: threadName,
      unit: 'microseconds',
      startValue: 0,
      endValue: widthUs,
      events,
    });
  }
  return file;
}
