import type { Frame } from '#protocol/event.ts';
import type { GroupingComponent } from '../grouping-types.ts';
import type { FrameVerdict, RuleSource, StackVerdict } from '../stack-trace-rules/rule-types.ts';

export type StackVariant = 'app' | 'system';

export type VariantFrames = {
  frames: readonly GroupingComponent[];
  /** Why the stack as a whole may not contribute, though frames do; null when it may. */
  tooFew: string | null;
};

/**
 * The frames of one view of a stack, with what the rules say of them. In `app`, frames of foreign code never contribute.
 * @param parts the frames' components, by their content alone
 */
export function variantFrames(
  variant: StackVariant,
  frames: readonly Frame[],
  parts: readonly GroupingComponent[],
  verdict: StackVerdict,
): VariantFrames {
  const ruled = parts.map((part, index) => {
    const byContent = part.contributes && (variant === 'system' || frames[index]?.in_app === true);
    return verdict.frames[index]?.contributes ?? byContent;
  });
  const limited = applyFrameLimits(ruled, verdict);
  return {
    frames: parts.map((part, index) => {
      const frame = frames[index] as Frame;
      if (variant === 'app' && frame.in_app !== true) {
        return { ...part, contributes: false, hint: foreignHint(frame, verdict.frames[index]?.inAppRule) };
      }
      const contributes = limited.contributes[index] === true;
      const cutBy = contributes || !ruled[index] ? null : limited.cutBy;
      return {
        ...part,
        contributes,
        hint: hintOf(part, contributes, cutBy, verdict.frames[index], variant),
      };
    }),
    tooFew: limited.discardedBy && `fewer contributing frames than ${nameOf(limited.discardedBy)} requires`,
  };
}

/** @param own what the rules say of the frame */
function hintOf(
  part: GroupingComponent,
  contributes: boolean,
  cutBy: RuleSource | null,
  own: FrameVerdict | undefined,
  variant: StackVariant,
): string | null {
  if (cutBy !== null) return `beyond the frame limit of ${nameOf(cutBy)}`;
  if (own?.contributesRule && contributes !== part.contributes) {
    return `${contributes ? 'counts' : 'ignored'} by ${nameOf(own.contributesRule)}`;
  }
  if (variant === 'app' && contributes && own?.inAppRule) return `in app by ${nameOf(own.inAppRule)}`;
  return part.hint;
}

function foreignHint(frame: Frame, rule: RuleSource | null | undefined): string {
  if (rule) return `not in app by ${nameOf(rule)}`;
  return frame.in_app === false
    ? 'not in app according to the SDK'
    : 'not marked in app by the SDK or a rule';
}

const nameOf = ({ text, origin }: RuleSource): string =>
  `${origin === 'default' ? 'default rule' : 'project rule'} ${text}`;

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
