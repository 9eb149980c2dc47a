import { compileCheckedGlob } from '#pipeline/patterns/rule-glob.ts';
import type { MatchBudget } from '../../patterns/linear/linear-pattern.ts';
import type { PlatformFamily } from '../platform-family.ts';
import { parseFamilies, parseRuleBoolean } from '../rule-text/rule-reader.ts';
import type { FrameFacts, RuleException, RuleMatcher } from './rule-types.ts';

export type FrameMatcher = (facts: FrameFacts, budget: MatchBudget) => boolean;
export type ExceptionTest = (exception: RuleException, budget: MatchBudget) => boolean;

/** `fixed` facts are the frame's own; `changing` ones are what rules set: its category and its flag. */
export type CompiledMatcher =
  | { kind: 'exception'; test: ExceptionTest }
  | { kind: 'fixed' | 'changing'; matches: FrameMatcher };

/** What an exception's field is matched as when it is missing. */
const UNKNOWN = '<unknown>';

/** Compiles a matcher that the parser accepted, or that Errata's own rules hold. */
export function compileMatcher(matcher: RuleMatcher): CompiledMatcher {
  const { isNegated } = matcher;
  switch (matcher.key) {
    case 'family': {
      const families = parseFamilies(matcher.pattern) ?? new Set<PlatformFamily>();
      return { kind: 'fixed', matches: ({ names }) => families.has(names.family) !== isNegated };
    }
    case 'app': {
      const expected = parseRuleBoolean(matcher.pattern);
      return { kind: 'changing', matches: ({ inApp }) => ((inApp ?? false) === expected) !== isNegated };
    }
    case 'category': {
      const matches = compileCheckedGlob(matcher.pattern, false);
      return {
        kind: 'changing',
        matches: ({ category }, budget) => (category !== null && matches(category, budget)) !== isNegated,
      };
    }
    case 'type':
    case 'value':
    case 'mechanism': {
      const { key } = matcher;
      const matches = compileCheckedGlob(matcher.pattern, false);
      return {
        kind: 'exception',
        test: (exception, budget) => matches(exception[key] ?? UNKNOWN, budget) !== isNegated,
      };
    }
    case 'function':
    case 'module': {
      const { key } = matcher;
      const matches = compileCheckedGlob(matcher.pattern, false);
      return {
        kind: 'fixed',
        matches: ({ names }, budget) => {
          const name = names[key];
          return (name !== null && matches(name, budget)) !== isNegated;
        },
      };
    }
    case 'path':
    case 'package': {
      const { key } = matcher;
      const matches = compileCheckedGlob(matcher.pattern.toLowerCase(), true);
      return {
        kind: 'fixed',
        matches: ({ names }, budget) => {
          const path = names[key];
          if (path === null) return isNegated;
          // A relative path is also tried as if it began at the root.
          const isMatch = matches(path, budget) || (!path.startsWith('/') && matches(`/${path}`, budget));
          return isMatch !== isNegated;
        },
      };
    }
  }
}
