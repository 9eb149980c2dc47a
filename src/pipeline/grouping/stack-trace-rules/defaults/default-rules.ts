import type { RuleAction, RuleMatcher, StackTraceRule } from '../rule-types.ts';

/** Conditions on one frame, all of which must hold; the values are globs, with `!` before one that must not match. */
export type FrameCondition = {
  readonly [Key in 'function' | 'module' | 'package' | 'path' | 'category' | 'family' | 'app']?: string;
} & { readonly notFunction?: string };

/** A list of names that tell the same, each enough by itself. */
type Names = {
  readonly functions?: readonly string[];
  readonly modules?: readonly string[];
  readonly packages?: readonly string[];
  readonly paths?: readonly string[];
};

export const inCategory = (value: string): RuleAction => ({ kind: 'category', value });

export const NOT_APP: RuleAction = { kind: 'app', value: false, range: null };
export const APP: RuleAction = { kind: 'app', value: true, range: null };
export const NOT_GROUPED: RuleAction = { kind: 'group', value: false, range: null };
export const ABOVE_NOT_APP: RuleAction = { kind: 'app', value: false, range: 'up' };
export const ABOVE_NOT_GROUPED: RuleAction = { kind: 'group', value: false, range: 'up' };
export const BELOW_APP: RuleAction = { kind: 'app', value: true, range: 'down' };
export const BELOW_NOT_GROUPED: RuleAction = { kind: 'group', value: false, range: 'down' };

/** Where reporting begins: this frame and all that it calls are neither grouped by nor the user's own. */
export const BORDER: readonly RuleAction[] = [ABOVE_NOT_GROUPED, NOT_GROUPED, ABOVE_NOT_APP, NOT_APP];
/** Frames that say nothing of the failure, wherever they are. */
export const NOISE: readonly RuleAction[] = [NOT_APP, NOT_GROUPED];

/** One rule. */
export const rule = (
  own: FrameCondition,
  actions: readonly RuleAction[],
  around: { caller?: FrameCondition; callee?: FrameCondition } = {},
): StackTraceRule => ({
  caller: around.caller === undefined ? null : (matchersOf(around.caller)[0] ?? null),
  own: matchersOf(own),
  callee: around.callee === undefined ? null : (matchersOf(around.callee)[0] ?? null),
  actions,
});

/** A rule for each name. */
export const rules = (
  names: Names,
  actions: readonly RuleAction[],
  also: FrameCondition = {},
): readonly StackTraceRule[] => [
  ...(names.functions ?? []).map((name) => rule({ ...also, function: name }, actions)),
  ...(names.modules ?? []).map((name) => rule({ ...also, module: name }, actions)),
  ...(names.packages ?? []).map((name) => rule({ ...also, package: name }, actions)),
  ...(names.paths ?? []).map((name) => rule({ ...also, path: name }, actions)),
];

function matchersOf({ notFunction, ...condition }: FrameCondition): readonly RuleMatcher[] {
  const matchers = Object.entries(condition).map(([key, pattern]): RuleMatcher => {
    const isNegated = pattern.startsWith('!');
    return {
      key: key as RuleMatcher['key'],
      pattern: isNegated ? pattern.slice(1) : pattern,
      isNegated,
    };
  });
  if (notFunction !== undefined) matchers.push({ key: 'function', pattern: notFunction, isNegated: true });
  return matchers;
}

/**
 * The kinds of code that are known by name, in the order in which they are told apart: a frame that fits several gets
 * the last.
 */
export const CATEGORIES = [
  'system',
  'std',
  'ui',
  'runtime',
  'av',
  'internals',
  'threadbase',
  'malloc',
  'indirection',
  'dtor',
  'shutdown',
  'handler',
  'throw',
  'driver',
  'free',
  'gl',
  'telemetry',
  'load',
  'lock',
] as const;

export type Category = (typeof CATEGORIES)[number];

/** Two names that only together tell something. */
export type NamePair = { readonly function: string } & (
  | { readonly module: string }
  | { readonly package: string }
);

/** What a platform has of one category. */
export type CategoryNames = Names & { readonly pairs?: readonly NamePair[] };

export type PlatformCategories = { readonly [Name in Category]?: CategoryNames };
