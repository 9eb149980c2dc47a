import type { MatchBudget } from '#pipeline/patterns/linear/linear-pattern.ts';
import { compileCheckedGlob, compileRuleGlob } from '#pipeline/patterns/rule-glob.ts';
import { parseRuleBoolean } from '../rule-text/rule-reader.ts';
import { type FingerprintKey, type FingerprintMatcher, patternKind } from './fingerprint-types.ts';

/** A fact as matchers compare it, paths in lower case and with slashes; null when the event has none. */
export type Fact = string | boolean | null;

/** Whether a fact fits; one that is missing fits only what is negated. */
export type FactTest = (fact: Fact, budget: MatchBudget) => boolean;

/** What is wrong with a matcher's pattern; null when nothing is. */
export function patternProblem(key: FingerprintKey, pattern: string): string | null {
  const kind = patternKind(key);
  if (kind === 'list') return null;
  if (kind === 'boolean') return parseRuleBoolean(pattern) === null ? `${key} must be yes or no` : null;
  return compileRuleGlob(pattern, { isPath: kind === 'path' }).problem;
}

/** Compiles a matcher whose pattern has no problem. Negation is left to the caller. */
export function compileFingerprintMatcher({ key, pattern }: FingerprintMatcher): FactTest {
  const kind = patternKind(key);
  switch (kind) {
    case 'boolean': {
      const expected = parseRuleBoolean(pattern);
      return (fact) => fact !== null && fact === expected;
    }
    case 'list': {
      const names = pattern.split(',');
      const isAny = names.includes('all');
      return (fact) => typeof fact === 'string' && (isAny || names.includes(fact));
    }
    case 'path': {
      const matches = compileCheckedGlob(pattern.toLowerCase(), true);
      return (fact, budget) =>
        typeof fact === 'string' &&
        (matches(fact, budget) || (!fact.startsWith('/') && matches(`/${fact}`, budget)));
    }
    default: {
      const isAnyCase = kind === 'text';
      const matches = compileCheckedGlob(isAnyCase ? pattern.toLowerCase() : pattern, false);
      return (fact, budget) =>
        typeof fact === 'string' && matches(isAnyCase ? fact.toLowerCase() : fact, budget);
    }
  }
}
