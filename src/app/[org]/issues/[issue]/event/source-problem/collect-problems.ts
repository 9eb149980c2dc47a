import { readSourceProblem, type SourceProblem } from '#product/events/source-problem.ts';
import type { NormalizedEvent } from '#protocol/event.ts';
import { formatExact } from '#ui/format-number.ts';
import { stacksOf } from '../stack/stacks-of.ts';

export type CollectedProblems = {
  /** Frames of all stacks of the event. */
  frames: number;
  /** Frames that were not taken to their source. */
  without: number;
  /** One of each reason, the one with most frames first. */
  reasons: readonly { problem: SourceProblem; frames: number }[];
};

/** Why frames of an event show no source, each reason once. */
export function collectProblems(event: NormalizedEvent): CollectedProblems {
  const found = new Map<string, { problem: SourceProblem; frames: number }>();
  let frames = 0;
  for (const stack of stacksOf(event)) {
    frames += stack.frames.length;
    for (const frame of stack.frames) {
      const problem = readSourceProblem(frame);
      if (!problem) continue;
      const known = found.get(problem.reason) ?? { problem, frames: 0 };
      found.set(problem.reason, { ...known, frames: known.frames + 1 });
    }
  }
  const reasons = [...found.values()].sort((a, b) => b.frames - a.frames);
  return { frames, without: reasons.reduce((sum, reason) => sum + reason.frames, 0), reasons };
}

/** `1 of 2 frames shows no source`, `None of the 3 frames shows its source`. */
export function withoutSourceLabel(without: number, frames: number): string {
  if (frames === 1) return 'The frame shows no source';
  if (without === frames) return `None of the ${formatExact(frames)} frames shows its source`;
  return `${formatExact(without)} of ${formatExact(frames)} frames ${without === 1 ? 'shows' : 'show'} no source`;
}
