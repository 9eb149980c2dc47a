import { readSourceProblem, type SourceProblem } from '#product/events/source-problem.ts';
import type { NormalizedEvent } from '#protocol/event.ts';
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
