import type { MatchBudget } from '../../patterns/linear/linear-pattern.ts';
import { quoteText } from '../rule-text/rule-reader.ts';
import { compileMatcher, type ExceptionTest, type FrameMatcher } from './compile-matcher.ts';
import type {
  ActionRange,
  FrameNames,
  RuleAction,
  RuleException,
  RuleMatcher,
  RuleSource,
  StackTraceRule,
} from './rule-types.ts';

export type FlagAction = { value: boolean; range: ActionRange };
export type ClassifyAction = { kind: 'app'; flag: FlagAction } | { kind: 'category'; value: string };
export type LimitAction =
  | { kind: 'maxFrames' | 'minFrames'; value: number }
  | { kind: 'invertStacktrace'; value: boolean };

/** A rule made ready. Tests of a frame's fixed facts are apart from those of what rules change. */
export type ReadyRule = {
  index: number;
  source: RuleSource;
  exception: readonly ExceptionTest[];
  fixed: readonly FrameMatcher[];
  /** Whether it asks for nothing but fixed facts of the frame itself. */
  isFixed: boolean;
  changing: readonly FrameMatcher[];
  /** The one category that the frame itself must have; null when a glob or nothing asks for it. */
  category: string | null;
  caller: FrameMatcher | null;
  callee: FrameMatcher | null;
  classify: readonly ClassifyAction[];
  group: readonly FlagAction[];
  limits: readonly LimitAction[];
};

/**
 * Rules in their order, ready to be matched. Most of the work is finding which rules a frame's own names match; that
 * depends on the frame alone, and frames recur from event to event, so it is kept with the frame's facts.
 */
export class RuleSet {
  /** Rules that set flags and categories. */
  readonly classifiers: readonly ReadyRule[];
  /** Rules that let frames contribute or not, and limit stacks. */
  readonly contributors: readonly ReadyRule[];
  readonly size: number;
  readonly #named: readonly ReadyRule[];

  constructor(rules: readonly StackTraceRule[], origin: RuleSource['origin']) {
    const ready = rules.map((rule, index) => readyRule(rule, index, origin));
    this.size = ready.length;
    this.classifiers = ready.filter((rule) => rule.classify.length > 0);
    this.contributors = ready.filter((rule) => rule.group.length > 0 || rule.limits.length > 0);
    this.#named = ready.filter((rule) => rule.fixed.length > 0);
  }

  /** Indexes of the rules that ask for names, where the names pass; those that ask for no name are not among them. */
  matchesOf(names: FrameNames): readonly number[] {
    const facts = { names, inApp: null, category: null };
    const budget = { steps: FRAME_STEPS_MAX };
    const matching = this.#named.filter((rule) => rule.fixed.every((matches) => matches(facts, budget)));
    return matching.length === 0 ? NO_MATCHES : matching.map(({ index }) => index);
  }
}

/** Matching steps for the names of one frame. */
const FRAME_STEPS_MAX = 100_000;
/** Matching steps for callers, callees and the exception of one stack. */
export const STACK_STEPS_MAX = 500_000;

const NO_MATCHES: readonly number[] = [];

function readyRule(rule: StackTraceRule, index: number, origin: RuleSource['origin']): ReadyRule {
  const exception: ExceptionTest[] = [];
  const fixed: FrameMatcher[] = [];
  const changing: FrameMatcher[] = [];
  let category: string | null = null;
  for (const matcher of rule.own) {
    if (category === null && isOneCategory(matcher)) {
      category = matcher.pattern;
      continue;
    }
    const compiled = compileMatcher(matcher);
    if (compiled.kind === 'exception') exception.push(compiled.test);
    else if (compiled.kind === 'fixed') fixed.push(compiled.matches);
    else changing.push(compiled.matches);
  }
  const neighbor = (matcher: StackTraceRule['caller']): FrameMatcher | null => {
    if (matcher === null) return null;
    const compiled = compileMatcher(matcher);
    if (compiled.kind !== 'exception') return compiled.matches;
    exception.push(compiled.test);
    return null;
  };
  const caller = neighbor(rule.caller);
  const callee = neighbor(rule.callee);
  return {
    index,
    isFixed: changing.length === 0 && category === null && caller === null && callee === null,
    source: { text: printStackTraceRule(rule), origin },
    exception,
    fixed,
    changing,
    category,
    caller,
    callee,
    ...readyActions(rule),
  };
}

const isOneCategory = ({ key, pattern, isNegated }: RuleMatcher): boolean =>
  key === 'category' && !isNegated && /^[\w.-]+$/.test(pattern);

function readyActions({ actions }: StackTraceRule): Pick<ReadyRule, 'classify' | 'group' | 'limits'> {
  const classify: ClassifyAction[] = [];
  const group: FlagAction[] = [];
  const limits: LimitAction[] = [];
  for (const action of actions) {
    switch (action.kind) {
      case 'app':
        classify.push({ kind: 'app', flag: action });
        break;
      case 'category':
        classify.push(action);
        break;
      case 'group':
        group.push(action);
        break;
      case 'invert-stacktrace':
        limits.push({ kind: 'invertStacktrace', value: action.value });
        break;
      default:
        limits.push({
          kind: action.kind === 'max-frames' ? 'maxFrames' : 'minFrames',
          value: action.value,
        });
    }
  }
  return { classify, group, limits };
}

/** Whether the exception fits; a rule that does not ask for one fits every stack. */
export const fitsException = (rule: ReadyRule, exception: RuleException, budget: MatchBudget): boolean =>
  rule.exception.every((test) => test(exception, budget));

/** A rule as a line of text, which reads back as the same rule. */
export const printStackTraceRule = ({ caller, own, callee, actions }: StackTraceRule): string =>
  [
    ...(caller === null ? [] : [`[ ${printMatcher(caller)} ] |`]),
    ...own.map(printMatcher),
    ...(callee === null ? [] : [`| [ ${printMatcher(callee)} ]`]),
    ...actions.map(printAction),
  ].join(' ');

const printMatcher = ({ key, pattern, isNegated }: RuleMatcher): string =>
  `${isNegated ? '!' : ''}${key}:${needsQuotes(pattern) ? quoteText(pattern) : pattern}`;

const needsQuotes = (pattern: string): boolean => pattern === '' || /[\s"]/.test(pattern);

function printAction(action: RuleAction): string {
  switch (action.kind) {
    case 'app':
    case 'group': {
      const range = action.range === 'up' ? '^' : action.range === 'down' ? 'v' : '';
      return `${range}${action.value ? '+' : '-'}${action.kind}`;
    }
    case 'invert-stacktrace':
      return `invert-stacktrace=${action.value ? 'yes' : 'no'}`;
    default:
      return `${action.kind}=${action.value}`;
  }
}
