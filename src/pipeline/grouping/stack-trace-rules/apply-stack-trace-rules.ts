import type { Frame } from '#protocol/event.ts';
import type { MatchBudget } from '../../patterns/linear/linear-pattern.ts';
import type { CompiledStackTraceRules } from './compile-stack-trace-rules.ts';
import { type FrameProfile, matchesOf, profileOf } from './frame-facts.ts';
import { type FlagAction, fitsException, type ReadyRule, type RuleSet, STACK_STEPS_MAX } from './rule-set.ts';
import type { FrameFacts, FrameVerdict, RuleException, RuleSource, StackVerdict } from './rule-types.ts';
import { sentInApp } from './sent-in-app.ts';

/** The frames of one stack while rules are applied. */
type RuledStack = Pick<Mutable<StackVerdict>, 'maxFrames' | 'minFrames' | 'invertStacktrace'> & {
  frames: readonly RuledFrame[];
  exception: RuleException;
  budget: MatchBudget;
  /** Every category that some frame has had. */
  categories: Set<string>;
};
type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

type RuledFrame = FrameFacts & {
  sentInApp: boolean | null;
  inAppRule: RuleSource | null;
  contributes: boolean | null;
  contributesRule: RuleSource | null;
};

/** A set of rules with the frames that each may match, by the index of the rule. */
type Stage = { rules: RuleSet; candidates: readonly (readonly number[] | undefined)[] };

const NO_EXCEPTION: RuleException = { type: null, value: null, mechanism: null };

/**
 * Applies all rules to one stack, oldest call first. First the flags and categories, then what contributes: a rule of
 * the second kind sees the flags that the first kind left. Within a kind the order of the rules decides, and any rule
 * overrides what the SDK sent. `function` of the frames must be the name as it is grouped by.
 */
export function applyStackTraceRules(
  { defaults, project }: CompiledStackTraceRules,
  frames: readonly Frame[],
  context: { platform: string; exception: RuleException | null },
): StackVerdict {
  const profiles = frames.map((frame) => profileOf(frame, context.platform));
  const ruled = profiles.map((profile, index) => ruledFrame(profile, frames[index] as Frame));
  const stack: RuledStack = {
    frames: ruled,
    exception: context.exception ?? NO_EXCEPTION,
    budget: { steps: STACK_STEPS_MAX },
    categories: new Set(ruled.flatMap(({ category }) => category ?? [])),
    maxFrames: null,
    minFrames: null,
    invertStacktrace: null,
  };
  const stages = [stageOf(defaults, 'defaults', profiles)];
  if (project !== null) stages.push(stageOf(project, 'project', profiles));
  for (const { rules, candidates } of stages) {
    for (const rule of rules.classifiers) {
      if (mayMatch(rule, stack, candidates)) applyClassifier(rule, stack, candidates[rule.index]);
    }
  }
  for (const { rules, candidates } of stages) {
    for (const rule of rules.contributors) {
      if (mayMatch(rule, stack, candidates)) applyContributor(rule, stack, candidates[rule.index]);
    }
  }
  const { maxFrames, minFrames, invertStacktrace } = stack;
  return { frames: stack.frames.map(verdictOf), maxFrames, minFrames, invertStacktrace };
}

function ruledFrame({ names }: FrameProfile, frame: Frame): RuledFrame {
  const inApp = sentInApp(frame);
  return {
    names,
    sentInApp: inApp,
    inApp,
    inAppRule: null,
    category: sentCategory(frame),
    contributes: null,
    contributesRule: null,
  };
}

/** Events that come from another server's export have the categories that its rules gave. */
const sentCategory = ({ data }: Frame): string | null =>
  typeof data?.category === 'string' ? data.category : null;

/** Nearly all rules are done with here. */
const mayMatch = (rule: ReadyRule, stack: RuledStack, candidates: Stage['candidates']): boolean =>
  (rule.fixed.length === 0 || candidates[rule.index] !== undefined) &&
  (rule.category === null || stack.categories.has(rule.category));

function stageOf(rules: RuleSet, kind: 'defaults' | 'project', profiles: readonly FrameProfile[]): Stage {
  const candidates: (number[] | undefined)[] = new Array(rules.size);
  for (let at = 0; at < profiles.length; at += 1) {
    for (const index of matchesOf(profiles[at] as FrameProfile, kind, rules)) {
      const known = candidates[index];
      if (known === undefined) candidates[index] = [at];
      else known.push(at);
    }
  }
  return { rules, candidates };
}

function applyClassifier(rule: ReadyRule, stack: RuledStack, named: readonly number[] | undefined): void {
  const matching = matchingFrames(rule, stack, named);
  if (matching === null) return;
  // All matches are found before the first action, so that a rule does not feed itself.
  for (const at of matching) {
    for (const action of rule.classify) {
      if (action.kind === 'category') {
        (stack.frames[at] as RuledFrame).category = action.value;
        stack.categories.add(action.value);
      } else setInApp(rule, action.flag, stack.frames, at);
    }
  }
}

function setInApp(
  rule: ReadyRule,
  { value, range }: FlagAction,
  frames: readonly RuledFrame[],
  at: number,
): void {
  const [from, to] = rangeOf(range, at, frames.length);
  for (let index = from; index < to; index += 1) {
    const frame = frames[index] as RuledFrame;
    frame.inApp = value;
    frame.inAppRule = rule.source;
  }
}

function applyContributor(rule: ReadyRule, stack: RuledStack, named: readonly number[] | undefined): void {
  const matching = matchingFrames(rule, stack, named);
  if (matching === null) return;
  for (const at of matching) {
    for (const action of rule.group) setContributes(rule, action, stack.frames, at);
  }
  for (const limit of rule.limits) {
    if (limit.kind === 'invertStacktrace') stack.invertStacktrace = { value: limit.value, rule: rule.source };
    else stack[limit.kind] = { value: limit.value, rule: rule.source };
  }
}

function setContributes(
  rule: ReadyRule,
  { value, range }: FlagAction,
  frames: readonly RuledFrame[],
  at: number,
): void {
  const [from, to] = rangeOf(range, at, frames.length);
  for (let index = from; index < to; index += 1) {
    const frame = frames[index] as RuledFrame;
    if (frame.contributes === value) continue;
    frame.contributes = value;
    frame.contributesRule = rule.source;
  }
}

/** Half-open. */
function rangeOf(range: FlagAction['range'], at: number, length: number): readonly [number, number] {
  if (range === 'up') return [at + 1, length];
  return range === 'down' ? [0, at] : [at, at + 1];
}

/** Where the frames are that the rule matches; null for none. */
function matchingFrames(
  rule: ReadyRule,
  stack: RuledStack,
  named: readonly number[] | undefined,
): readonly number[] | null {
  if (!fitsException(rule, stack.exception, stack.budget)) return null;
  const { frames } = stack;
  if (named !== undefined) {
    if (rule.isFixed) return named;
    return named.filter((at) => matchesAt(rule, stack, at));
  }
  let matching: number[] | null = null;
  for (let at = 0; at < frames.length; at += 1) {
    if (!matchesAt(rule, stack, at)) continue;
    if (matching === null) matching = [at];
    else matching.push(at);
  }
  return matching;
}

function matchesAt(
  { category, changing, caller, callee }: ReadyRule,
  { frames, budget }: RuledStack,
  at: number,
): boolean {
  const frame = frames[at] as RuledFrame;
  if (category !== null && frame.category !== category) return false;
  for (const matches of changing) if (!matches(frame, budget)) return false;
  if (caller !== null && (at === 0 || !caller(frames[at - 1] as RuledFrame, budget))) return false;
  return callee === null || (at + 1 < frames.length && callee(frames[at + 1] as RuledFrame, budget));
}

const verdictOf = (frame: RuledFrame): FrameVerdict => ({
  inApp: frame.inApp,
  inAppRule: frame.inApp === frame.sentInApp ? null : frame.inAppRule,
  category: frame.category,
  contributes: frame.contributes,
  contributesRule: frame.contributesRule,
});
