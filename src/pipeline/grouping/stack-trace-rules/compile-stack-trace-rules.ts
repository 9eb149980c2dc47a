import { eachRuleLine, type RuleProblem } from '../rule-text/rule-reader.ts';
import { parseStackTraceRule } from './parse-stack-trace-rule.ts';
import { DEFAULT_RULE_SET } from './platform-defaults.ts';
import { RuleSet } from './rule-set.ts';
import type { StackTraceRule } from './rule-types.ts';

/** Errata's own rules, and after them those of a project: what comes later decides. */
export type CompiledStackTraceRules = { defaults: RuleSet; project: RuleSet | null };

/** Stack trace rules of one project. */
const RULES_MAX = 1_000;

/**
 * Compiles the text of a project's rules, one on each line, on top of Errata's own. `#` begins a comment.
 * Source: https://docs.sentry.io/product/data-management-settings/event-grouping/stack-trace-rules/
 */
export function compileStackTraceRules(text: string): {
  rules: CompiledStackTraceRules;
  problems: readonly RuleProblem[];
} {
  const rules: StackTraceRule[] = [];
  const problems = eachRuleLine(text, RULES_MAX, (line) => {
    rules.push(parseStackTraceRule(line));
  });
  return {
    rules: { defaults: DEFAULT_RULE_SET, project: rules.length === 0 ? null : new RuleSet(rules, 'project') },
    problems,
  };
}

/** What a project without rules of its own uses. */
export const DEFAULT_STACK_TRACE_RULES: CompiledStackTraceRules = {
  defaults: DEFAULT_RULE_SET,
  project: null,
};
