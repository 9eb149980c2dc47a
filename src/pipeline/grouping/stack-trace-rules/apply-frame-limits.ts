import type { RuleSource, StackVerdict } from './rule-types.ts';

export type LimitedFrames = {
  /** For each frame, whether it still contributes. */
  contributes: readonly boolean[];
  /** The rule that cut frames off; null when none were. */
  cutBy: RuleSource | null;
  /** The rule that sets the whole stack aside, as too few frames contribute; null when none does. */
  discardedBy: RuleSource | null;
};

/** Applies `max-frames` and `min-frames` to frames of which it is known otherwise whether they contribute. */
export function applyFrameLimits(
  contributes: readonly boolean[],
  { maxFrames, minFrames }: Pick<StackVerdict, 'maxFrames' | 'minFrames'>,
): LimitedFrames {
  let kept = contributes;
  let count = contributes.filter(Boolean).length;
  let cutBy: RuleSource | null = null;
  if (maxFrames !== null && maxFrames.value > 0 && count > maxFrames.value) {
    let surplus = count - maxFrames.value;
    kept = contributes.map((contributing) => contributing && surplus-- <= 0);
    count = maxFrames.value;
    cutBy = maxFrames.rule;
  }
  const isTooFew = minFrames !== null && count > 0 && count < minFrames.value;
  return { contributes: kept, cutBy, discardedBy: isTooFew ? minFrames.rule : null };
}
