import { problemAnchor } from '#app/[org]/issues/[issue]/event/source-problem/source-problem-text.ts';
import { isWebAddress } from '#ui/external-link.tsx';
import { noSourceReason } from '../event-view.ts';
import { type DrawnSource, drawSource } from '../source/draw-source.ts';
import { type FrameView, framePlace } from './frame-view.ts';
import type { StackRow } from './plan-stacks.ts';

/** A row as it is sent to whoever draws it: a frame, or a run of library frames and what their line names. */
export type DrawnRow = DrawnFrame | { libraries: string; frames: readonly DrawnFrame[] };

/** What does not apply to a frame is left out: a page has a hundred of them. */
export type DrawnFrame = Pick<FrameView, 'index'> & {
  name: string;
  /** With its line; empty when nothing is known. */
  place: string;
  /** For the title of the place. */
  path?: string;
  /** Beside the place. */
  library?: string;
  isInApp?: true;
  isCrash?: true;
  isScanned?: true;
  source?: DrawnSource;
  variables?: FrameView['variables'];
  /** The line in its repository. */
  href?: string;
  /** Why it was not resolved to its source, and where all of it is told for a frame of the program's own. */
  problem?: { words: string; anchor?: string };
  /** Why the frame of the crash has no source, when no problem says so. */
  note?: string;
};

/** `platform` is that of the event. */
export const drawRows = (rows: readonly StackRow[], platform: string): DrawnRow[] =>
  rows.map((row) =>
    row.kind === 'frame'
      ? drawFrame(row.frame, platform)
      : { libraries: librariesOf(row.frames), frames: row.frames.map((frame) => drawFrame(frame, platform)) },
  );

function drawFrame(frame: FrameView, platform: string): DrawnFrame {
  const { index, functionName: name, fullPath, library, source, variables, repositoryHref, problem } = frame;
  return {
    index,
    name,
    place: framePlace(frame),
    ...(fullPath && { path: fullPath }),
    ...(library && frame.place && { library }),
    ...(frame.isInApp && { isInApp: true }),
    ...(frame.isCrash && { isCrash: true }),
    ...(frame.isScanned && { isScanned: true }),
    ...(source.length > 0 && { source: drawSource(source, frame.place, platform) }),
    ...(variables.length > 0 && { variables }),
    ...(repositoryHref && isWebAddress(repositoryHref) && { href: repositoryHref }),
    ...(problem
      ? {
          problem: {
            words: problem.words,
            ...(frame.isInApp && { anchor: problemAnchor(problem.reason) }),
          },
        }
      : frame.isCrash && source.length === 0 && { note: noSourceReason(frame, platform) }),
  };
}

const NAMES_SHOWN = 4;

function librariesOf(frames: readonly FrameView[]): string {
  const names = new Set(frames.map((frame) => frame.library || frame.place).filter(Boolean));
  return [...names].slice(0, NAMES_SHOWN).join(', ');
}
