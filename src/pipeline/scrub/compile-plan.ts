import type { AdvancedRule, PrivacySettings } from '#protocol/ingest-settings.ts';
import { compileLinearPattern, type LinearPattern } from '../patterns/linear/linear-pattern.ts';
import { parseSelector, type Selector } from './parse-selector.ts';
import type { Redaction } from './redact-text.ts';
import { isRuleType, PLACEHOLDERS, RULE_METHODS, type RuleType } from './rule-types.ts';
import { SensitiveKeys } from './sensitive-keys.ts';

/** An advanced rule, ready to be applied. */
export type PlannedRule = {
  /** Place in the settings, from 0: what the preview counts by. */
  index: number;
  type: RuleType;
  pattern: LinearPattern | null;
  selector: Selector;
  redaction: Redaction;
};

/** A project's privacy settings, made ready. */
export type Plan = {
  defaultRules: boolean;
  scrubIp: boolean;
  keys: SensitiveKeys;
  /** Finds the sensitive fields' names in text; null when there are none. */
  listed: RegExp | null;
  /** Names of safe fields that are no paths, in lower case. */
  safeKeys: ReadonlySet<string>;
  safeSelectors: readonly Selector[];
  rules: readonly PlannedRule[];
  /** Whether nothing is to be done at all. */
  isIdle: boolean;
};

/** Sensitive and safe fields, each; saving rejects more. */
export const FIELDS_MAX = 200;
/** The name of one sensitive or safe field. */
export const FIELD_CHARS_MAX = 200;
/** Scrubbing rules of a project, those of its organization first. */
const RULES_MAX = 200;

/** Never throws: a rule or a field that cannot be read is left out. */
export function compilePlan(settings: PrivacySettings): Plan {
  const sensitive = fieldsOf(settings.sensitiveFields);
  const rules = settings.advancedRules
    .slice(0, RULES_MAX)
    .flatMap((rule, index) => planRule(rule, index) ?? []);
  const safe = readSafeFields(settings.safeFields);
  const keys = new SensitiveKeys(settings.defaultRules, sensitive);
  return {
    defaultRules: settings.defaultRules,
    scrubIp: settings.scrubIpAddresses,
    keys,
    listed: sensitive.length === 0 ? null : new RegExp(sensitive.map(escapeText).join('|'), 'i'),
    ...safe,
    rules,
    isIdle: keys.isIdle && !settings.scrubIpAddresses && rules.length === 0,
  };
}

/** Name of an advanced rule in remarks: what it looks for and what it does, as the reference names its own. */
export const ruleName = ({ type, method }: Pick<AdvancedRule, 'type' | 'method'>): string =>
  `@${type}:${method}`;

function planRule(rule: AdvancedRule, index: number): PlannedRule | null {
  if (!isRuleType(rule.type) || !RULE_METHODS.includes(rule.method)) return null;
  const selector = parseSelector(rule.selector);
  if (!selector.ok) return null;
  const pattern = rule.type === 'pattern' ? compileLinearPattern(rule.pattern ?? '') : null;
  if (pattern !== null && !pattern.ok) return null;
  return {
    index,
    type: rule.type,
    pattern: pattern?.pattern ?? null,
    selector: selector.selector,
    redaction: {
      rule: ruleName(rule),
      method: rule.method,
      placeholder: rule.placeholder ?? PLACEHOLDERS[rule.type],
    },
  };
}

/** A safe field is a name or a selector; what is neither counts as a name, as in the reference. */
function readSafeFields(fields: readonly string[]): Pick<Plan, 'safeKeys' | 'safeSelectors'> {
  const safeKeys = new Set<string>();
  const safeSelectors: Selector[] = [];
  for (const field of fieldsOf(fields)) {
    const parsed = parseSelector(field);
    const [item, ...others] = parsed.ok && parsed.selector.kind === 'path' ? parsed.selector.items : [];
    if (!parsed.ok) safeKeys.add(field.toLowerCase());
    else if (item?.kind === 'key' && others.length === 0) safeKeys.add(item.key);
    else safeSelectors.push(parsed.selector);
  }
  return { safeKeys, safeSelectors };
}

const fieldsOf = (fields: readonly string[]): string[] =>
  fields
    .map((field) => field.trim().slice(0, FIELD_CHARS_MAX))
    .filter((field) => field !== '')
    .slice(0, 2 * FIELDS_MAX);

const escapeText = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
