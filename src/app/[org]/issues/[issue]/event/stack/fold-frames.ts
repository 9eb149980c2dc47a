import type { FrameView } from './frame-view.ts';

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

/** The frame that people look for: the last call in the program's own code, else the last call; null without frames. */
export function guiltyFrame<T extends { isInApp: boolean }>(frames: readonly T[]): T | null {
  return frames.findLast((frame) => frame.isInApp) ?? frames.at(-1) ?? null;
}
