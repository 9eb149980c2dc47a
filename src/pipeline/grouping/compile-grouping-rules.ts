import { compileFingerprintRules } from './fingerprint/compile-fingerprint-rules.ts';
import { type GroupingRules, LATEST_GROUPING_CONFIG } from './grouping-types.ts';
import type { RuleProblem } from './rule-text/rule-reader.ts';
import { compileStackTraceRules } from './stack-trace-rules/compile-stack-trace-rules.ts';

/** A project's rules in their two languages; a line that cannot be read is a problem and is left out. */
export function compileGroupingRules(texts: { fingerprint: string; stackTrace: string }): {
  rules: GroupingRules;
  problems: { fingerprint: readonly RuleProblem[]; stackTrace: readonly RuleProblem[] };
} {
  const fingerprint = compileFingerprintRules(texts.fingerprint);
  const stackTrace = compileStackTraceRules(texts.stackTrace);
  return {
    rules: {
      config: LATEST_GROUPING_CONFIG,
      fingerprint: fingerprint.rules,
      stackTrace: stackTrace.rules,
    },
    problems: { fingerprint: fingerprint.problems, stackTrace: stackTrace.problems },
  };
}

/** What a project without rules of its own has: Errata's. */
export const DEFAULT_GROUPING_RULES: GroupingRules = compileGroupingRules({
  fingerprint: '',
  stackTrace: '',
}).rules;
