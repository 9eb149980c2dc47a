import { invalid } from '#lib/errors.ts';
import { compileGroupingRules } from '#pipeline/grouping/compile-grouping-rules.ts';
import type { GroupingRules } from '#pipeline/grouping/grouping-types.ts';
import type { RuleProblem } from '#pipeline/grouping/rule-text/rule-reader.ts';
import type { GroupingRuleTexts } from '#storage/ports/grouping-rules.ts';

/** Characters of each of the two texts. */
export const RULES_CHARACTERS_MAX = 100_000;

export type { RuleProblem };

export type RuleProblems = {
  fingerprint: readonly RuleProblem[];
  stackTrace: readonly RuleProblem[];
};

/** Line ends as they are stored, and what is wrong with which line. */
export function checkGroupingRules(texts: GroupingRuleTexts): {
  texts: GroupingRuleTexts;
  rules: GroupingRules;
  problems: RuleProblems;
} {
  const clean = { fingerprint: tidy(texts.fingerprint), stackTrace: tidy(texts.stackTrace) };
  for (const text of Object.values(clean)) {
    if (text.length > RULES_CHARACTERS_MAX) {
      throw invalid(`Rules have at most ${RULES_CHARACTERS_MAX} characters: shorten them`, 'rules');
    }
  }
  return { texts: clean, ...compileGroupingRules(clean) };
}

/** As `checkGroupingRules`. Throws Invalid naming the first line that cannot be read. */
export function requireGroupingRules(texts: GroupingRuleTexts): {
  texts: GroupingRuleTexts;
  rules: GroupingRules;
} {
  const checked = checkGroupingRules(texts);
  for (const [name, problems] of [
    ['Fingerprint rules', checked.problems.fingerprint],
    ['Stack trace rules', checked.problems.stackTrace],
  ] as const) {
    const [first] = problems;
    if (first) throw invalid(`${name}, line ${first.line}: ${first.message}`, 'rules');
  }
  return checked;
}

const tidy = (text: string): string => text.replaceAll('\r\n', '\n').trimEnd();
