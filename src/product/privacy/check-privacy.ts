import { invalid } from '#lib/errors.ts';
import { compileLinearPattern } from '#pipeline/patterns/linear/linear-pattern.ts';
import { FIELD_CHARS_MAX, FIELDS_MAX } from '#pipeline/scrub/compile-plan.ts';
import { parseSelector } from '#pipeline/scrub/parse-selector.ts';
import { isRuleType, RULE_METHODS, RULE_TYPES } from '#pipeline/scrub/rule-types.ts';
import type { AdvancedRule, PrivacySettings } from '#protocol/ingest-settings.ts';

/** What is wrong with which part of the settings. */
export type PrivacyProblem = {
  list: 'sensitiveFields' | 'safeFields' | 'advancedRules';
  /** Place in the list, from 0. */
  index: number;
  /** Of an advanced rule; null for a field, or for the rule as a whole. */
  part: keyof AdvancedRule | null;
  /** Where in the text, from 0; null when it is all of it. */
  position: number | null;
  /** A sentence without its full stop. */
  message: string;
};

export const RULES_MAX = 100;
const PLACEHOLDER_CHARS_MAX = 100;

/** The settings trimmed and without blank and repeated fields, with everything that is wrong with them. */
export function checkPrivacy(settings: PrivacySettings): {
  settings: PrivacySettings;
  problems: readonly PrivacyProblem[];
} {
  const problems: PrivacyProblem[] = [];
  const checked: PrivacySettings = {
    defaultRules: settings.defaultRules,
    scrubIpAddresses: settings.scrubIpAddresses,
    sensitiveFields: checkFields('sensitiveFields', settings.sensitiveFields, problems),
    safeFields: checkFields('safeFields', settings.safeFields, problems),
    advancedRules: settings.advancedRules.map((rule, index) => checkRule(rule, index, problems)),
    textAttachments: settings.textAttachments,
    recordings: settings.recordings,
  };
  if (checked.advancedRules.length > RULES_MAX) {
    const message = `At most ${RULES_MAX} rules are allowed`;
    problems.push({ list: 'advancedRules', index: RULES_MAX, part: null, position: null, message });
  }
  return { settings: checked, problems };
}

/** The checked settings. Throws Invalid, naming the first thing that is wrong and where it is. */
export function requireValidPrivacy(sent: PrivacySettings): PrivacySettings {
  const { settings, problems } = checkPrivacy(sent);
  const [first] = problems;
  if (first) throw invalid(describeProblem(first), first.list);
  return settings;
}

/** For example `Advanced rule 2, selector, at sign 7: this quote is never closed`. */
export function describeProblem({ list, index, part, position, message }: PrivacyProblem): string {
  const place = [
    `${LIST_NAMES[list]} ${index + 1}`,
    part,
    position === null ? null : `at character ${position + 1}`,
  ];
  return `${place.filter((each) => each !== null).join(', ')}: ${message}`;
}

const LIST_NAMES: Readonly<Record<PrivacyProblem['list'], string>> = {
  sensitiveFields: 'Sensitive field',
  safeFields: 'Safe field',
  advancedRules: 'Advanced rule',
};

function checkFields(
  list: 'sensitiveFields' | 'safeFields',
  sent: readonly string[],
  problems: PrivacyProblem[],
): readonly string[] {
  const fields = [...new Set(sent.map((field) => field.trim()).filter((field) => field !== ''))];
  const report = (index: number, message: string) =>
    problems.push({ list, index, part: null, position: null, message });
  for (const [index, field] of fields.entries()) {
    if (field.length > FIELD_CHARS_MAX)
      report(index, `A field can have at most ${FIELD_CHARS_MAX} characters`);
    else if (/\p{Cc}/u.test(field)) report(index, 'A field cannot contain control characters');
    else if (list === 'sensitiveFields' && field.length < 2) {
      report(
        index,
        'A sensitive field must have at least two characters: a single character would match almost everything',
      );
    } else if (list === 'safeFields' && looksLikeSelector(field)) {
      const parsed = parseSelector(field);
      if (!parsed.ok) {
        problems.push({ list, index, part: null, ...parsed.problem });
      }
    }
  }
  if (fields.length > FIELDS_MAX) report(FIELDS_MAX, `At most ${FIELDS_MAX} fields are allowed`);
  return fields;
}

/** Names of fields may hold any sign; these are only in selectors. */
const looksLikeSelector = (field: string): boolean => /[$*']|&&|\|\||^[!~(]/.test(field);

function checkRule(rule: AdvancedRule, index: number, problems: PrivacyProblem[]): AdvancedRule {
  const report = (part: keyof AdvancedRule, message: string, position: number | null = null) =>
    problems.push({ list: 'advancedRules', index, part, position, message });
  if (!isRuleType(rule.type)) {
    report('type', `Unknown type "${rule.type}": choose one of ${RULE_TYPES.join(', ')}`);
  }
  if (!RULE_METHODS.includes(rule.method)) {
    report('method', `Unknown method "${rule.method}": choose one of ${RULE_METHODS.join(', ')}`);
  }
  const pattern = rule.type === 'pattern' ? (rule.pattern ?? '') : null;
  if (pattern !== null) {
    if (pattern === '') report('pattern', 'A regular expression is required', 0);
    else {
      const compiled = compileLinearPattern(pattern);
      if (!compiled.ok) report('pattern', compiled.problem.message, compiled.problem.position);
      else if (matchesEmpty(pattern)) report('pattern', 'This expression matches only empty text');
    }
  }
  const selector = rule.selector.trim();
  const parsed = parseSelector(selector);
  if (!parsed.ok) report('selector', parsed.problem.message, parsed.problem.position);
  const placeholder = rule.method === 'replace' ? rule.placeholder || null : null;
  if (placeholder !== null && placeholder.length > PLACEHOLDER_CHARS_MAX) {
    report('placeholder', `A placeholder can have at most ${PLACEHOLDER_CHARS_MAX} characters`);
  } else if (placeholder !== null && /\p{Cc}/u.test(placeholder)) {
    report('placeholder', 'A placeholder cannot contain control characters');
  }
  return { method: rule.method, type: rule.type, pattern, placeholder, selector };
}

const matchesEmpty = (pattern: string): boolean => /^(?:\(\?[ismu-]*\))?(?:\^|\$|\(\)|\|)*$/.test(pattern);
