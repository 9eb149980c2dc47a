import { compileGroupingRules } from '#pipeline/grouping/compile-grouping-rules.ts';
import { compileStructuredFingerprintRules } from '#pipeline/grouping/fingerprint/compile-fingerprint-rules.ts';
import type { StructuredFingerprintRule } from '#pipeline/grouping/fingerprint/fingerprint-types.ts';
import type { GroupingRules } from '#pipeline/grouping/grouping-types.ts';
import type { RuleProblem } from '#pipeline/grouping/rule-text/rule-reader.ts';

export type GroupingRulesInput = {
  /** A project's fingerprint rules: lines of the language, or the list that Sentry's API gives; null without any. */
  fingerprint: string | null;
  /** A project's stack-trace rules; null without any. */
  stackTrace: string | null;
};

export type ReadGroupingRules = {
  rules: GroupingRules;
  /** Lines that were left out, of each text. */
  problems: { fingerprint: readonly RuleProblem[]; stackTrace: readonly RuleProblem[] };
};

/** Compiles rules that came with a request to explain. */
export function readGroupingRules({ fingerprint, stackTrace }: GroupingRulesInput): ReadGroupingRules {
  const structured = fingerprint === null ? null : readStructured(fingerprint);
  const { rules, problems } = compileGroupingRules({
    fingerprint: structured === null ? (fingerprint ?? '') : '',
    stackTrace: stackTrace ?? '',
  });
  if (structured === null) return { rules, problems };
  const compiled = compileStructuredFingerprintRules(structured);
  return {
    rules: { ...rules, fingerprint: compiled.rules },
    problems: { ...problems, fingerprint: compiled.problems },
  };
}

/** null when the text is no list of rules in JSON. */
function readStructured(text: string): readonly StructuredFingerprintRule[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every(isStructuredRule) ? value : null;
  } catch {
    return null;
  }
}

const isStructuredRule = (value: unknown): value is StructuredFingerprintRule => {
  if (typeof value !== 'object' || value === null) return false;
  const { matchers, fingerprint, attributes } = value as Record<string, unknown>;
  return (
    isListOf(matchers, (matcher) => isListOf(matcher, isText) && matcher.length === 2) &&
    isListOf(fingerprint, isText) &&
    (attributes === undefined || attributes === null || hasTitle(attributes))
  );
};

const isText = (value: unknown): boolean => typeof value === 'string';

const isListOf = (value: unknown, isItem: (item: unknown) => boolean): value is unknown[] =>
  Array.isArray(value) && value.every(isItem);

const hasTitle = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  const { title } = value as { title?: unknown };
  return title === undefined || isText(title);
};
