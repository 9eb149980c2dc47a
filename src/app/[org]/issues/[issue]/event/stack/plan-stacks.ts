import type { FrameView, StackView } from './frame-view.ts';

/** Frames of all stacks of an event that its page shows, and the characters of their source and variables. */
export const FRAMES_SHOWN_MAX = 100;
export const CHARACTERS_SHOWN_MAX = 100_000;

export type PlannedStack = {
  rows: readonly StackRow[];
  /** How many rows of the stack are not among them: they are loaded on demand. */
  left: number;
};

/**
 * Which rows of each stack the page shows. A recursion can be thousands of frames deep and a variable long; what is
 * more than a page should weigh is left for later, the rest of that stack with it. null for what has no stack.
 */
export function planStacks(
  stacks: readonly (StackView | null)[],
  order: FrameOrder,
  showAll: boolean,
): (PlannedStack | null)[] {
  let frames = FRAMES_SHOWN_MAX;
  let characters = CHARACTERS_SHOWN_MAX;
  return stacks.map((stack) => {
    if (!stack) return null;
    const all = foldFrames(stack.frames, order, showAll);
    let shown = 0;
    for (const row of all) {
      const held = row.kind === 'frame' ? [row.frame] : row.frames;
      const weight = held.reduce((sum, frame) => sum + charactersOf(frame), 0);
      if (held.length > frames || weight > characters) break;
      frames -= held.length;
      characters -= weight;
      shown += 1;
    }
    return { rows: all.slice(0, shown), left: all.length - shown };
  });
}

const charactersOf = ({ source, variables }: FrameView): number =>
  source.reduce((sum, line) => sum + line.text.length, 0) +
  variables.reduce((sum, [name, value]) => sum + name.length + value.length, 0);

export type StackRow =
  | { kind: 'frame'; frame: FrameView }
  /** Neighbouring frames of libraries, folded into one line. */
  | { kind: 'library'; frames: readonly FrameView[] };

export type FrameOrder = 'newest' | 'oldest';

/**
 * Frames as rows: the program's own ones each by itself, runs of library frames folded. Without any frame of the
 * program's own, or with `showAll`, nothing is folded; neither is a single library frame, nor the one that was called last.
 */
export function foldFrames(frames: readonly FrameView[], order: FrameOrder, showAll: boolean): StackRow[] {
  const ordered = order === 'newest' ? [...frames].reverse() : [...frames];
  const isWhole = showAll || !frames.some((frame) => frame.isInApp);
  const last = frames.at(-1);
  const rows: StackRow[] = [];
  let run: FrameView[] = [];
  for (const frame of ordered) {
    if (isWhole || frame.isInApp || frame === last) {
      endRun();
      rows.push({ kind: 'frame', frame });
    } else {
      run.push(frame);
    }
  }
  endRun();
  return rows;

  function endRun() {
    const [only] = run;
    if (run.length === 1 && only) rows.push({ kind: 'frame', frame: only });
    else if (run.length > 1) rows.push({ kind: 'library', frames: run });
    run = [];
  }
}

/** Whether there is something to fold: frames of the program and frames of libraries. */
export function hasBothKinds(frames: readonly { isInApp: boolean }[]): boolean {
  return frames.some((frame) => frame.isInApp) && frames.some((frame) => !frame.isInApp);
}
