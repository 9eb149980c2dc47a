import { type FrameOrder, foldFrames, type StackRow } from './fold-frames.ts';
import type { FrameView, StackView } from './frame-view.ts';

/** Frames of all stacks of an event that stand in its page, and the characters of their source and variables. */
export const FRAMES_SHOWN_MAX = 100;
export const CHARACTERS_SHOWN_MAX = 100_000;

export type PlannedStack = {
  rows: readonly StackRow[];
  /** How many rows of the stack are not among them: they are fetched when somebody asks. */
  left: number;
};

/**
 * Which rows of each stack stand in the page. A recursion can be thousands of frames deep and a variable long; what is
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
