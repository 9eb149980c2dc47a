import type { MatchBudget } from '../patterns/linear/linear-pattern.ts';
import type { Plan, PlannedRule } from './compile-plan.ts';
import { findBuiltin } from './find-builtin.ts';
import { hideInName, mayHoldSecrets } from './hide-in-name.ts';
import type { Mark } from './mark-tree.ts';
import { matchSelector, type PathStack } from './match-selector.ts';
import { filterBy, type RedactedText, type Redaction, type Remark, TextToScrub } from './redact-text.ts';
import { FILTERED } from './rule-types.ts';
import type { SchemaNode, Sweep } from './schema-node.ts';
import { KEY_RULES, type KeyVerdict, mentionsSecret, SensitiveKeys } from './sensitive-keys.ts';
import { sweepText } from './sweep-text.ts';
import { ATTRIBUTES_BIT } from './walk-values.ts';

/** Matching steps of custom patterns for one payload, tens of milliseconds. Beyond it, texts are emptied. */
const PATTERN_STEPS_MAX = 10_000_000;
/** Marks of one payload; what is scrubbed beyond goes unmarked. */
const MARKS_MAX = 1_000;

/** Stands for a value that a rule took away. */
export const REMOVED = Symbol('removed');

const KEY_REDACTIONS: Readonly<Record<NonNullable<KeyVerdict>, Redaction>> = {
  password: filterBy(KEY_RULES.password),
  token: filterBy(KEY_RULES.token),
  cookie: filterBy(KEY_RULES.cookie),
  listed: filterBy(KEY_RULES.listed),
};

/** For rules of the type `password`, whatever the project's own lists say. */
const PASSWORD_KEYS = new SensitiveKeys(true, []);

/**
 * The way from the root of a payload to the value that is looked at, what the rules do with that value, and the marks of
 * what they did.
 */
export class ScrubPath implements PathStack {
  readonly keys: (string | number)[] = [''];
  readonly types: number[] = [0];
  length = 1;
  readonly marks: Mark[] = [];
  /** How often each advanced rule changed something, by its place in the settings. */
  readonly hits = new Map<number, number>();
  protected readonly plan: Plan;
  readonly #budget: MatchBudget = { steps: PATTERN_STEPS_MAX };

  constructor(plan: Plan) {
    this.plan = plan;
  }

  /** Without the rules of the project's own. */
  protected sweepAlone(text: string, node: SchemaNode): string {
    if (!mayHoldSecrets(text) || this.isSafe(node)) return text;
    const target = new TextToScrub(text);
    sweepText(target, 'secrets', this.plan);
    return this.#marked(target.changed) ?? text;
  }

  protected redact(text: string, node: SchemaNode, verdict: KeyVerdict, sweep: Sweep): unknown {
    const plan = this.plan;
    const target = new TextToScrub(text);
    if (plan.rules.length > 0) {
      for (const rule of plan.rules) {
        if (!this.#selects(rule, node)) continue;
        if (rule.type === 'anything' && rule.redaction.method === 'remove') {
          this.count(rule);
          return this.remove(rule.redaction.rule);
        }
        if (this.#applyRule(rule, target)) this.count(rule);
      }
    }
    if (!this.isSafe(node)) {
      if (verdict !== null && (sweep === 'full' || sweep === 'keyed')) {
        target.prepare().redactWhole(KEY_REDACTIONS[verdict]);
      } else {
        sweepText(target, sweep, plan);
      }
    }
    return this.#marked(target.changed) ?? text;
  }

  #marked(changed: RedactedText | null): string | null {
    if (changed) this.#mark(changed.remarks, changed.originalLength);
    return changed?.text ?? null;
  }

  /** Answers whether the rule changed the text. */
  #applyRule(rule: PlannedRule, text: TextToScrub): boolean {
    const { type, redaction } = rule;
    const { search } = text;
    if (type === 'anything') return redactWhole(text.prepare(), redaction);
    if (type === 'password') {
      const key = this.keys[this.length - 1];
      const isSecret =
        (typeof key === 'string' && PASSWORD_KEYS.judge(key) !== null) || mentionsSecret(search);
      if (isSecret) return redactWhole(text.prepare(), redaction);
    }
    const ranges =
      type === 'pattern'
        ? (rule.pattern?.findAll(search, this.#budget) ?? null)
        : findBuiltin(type === 'password' ? 'bearer' : type, search);
    // Nobody knows what an unfinished search would have found.
    if (ranges === null)
      return redactWhole(text.prepare(), { ...redaction, method: 'replace', placeholder: FILTERED });
    if (ranges.length === 0) return false;
    const target = text.prepare();
    const before = target.text;
    target.redact(ranges, redaction);
    return target.text !== before;
  }

  /** A rule that takes away what is no text: all it can do with lists, objects and numbers. */
  protected findRemoving(node: SchemaNode): PlannedRule | null {
    for (const rule of this.plan.rules) {
      if (rule.type !== 'anything' && rule.type !== 'password') continue;
      if (!this.#selects(rule, node)) continue;
      if (rule.type === 'anything') return rule;
      const key = this.keys[this.length - 1];
      if (typeof key === 'string' && PASSWORD_KEYS.judge(key) !== null) return rule;
    }
    return null;
  }

  protected judgeField(key: string, child: SchemaNode, shape: SchemaNode['shape']): KeyVerdict {
    if (shape === 'cookies') return this.plan.keys.judgeCookie(key);
    if (shape === 'set-cookies' && this.plan.defaultRules) return 'cookie';
    return this.judge(key, child);
  }

  protected judge(key: string, child: SchemaNode): KeyVerdict {
    return child.sweep === 'full' || child.sweep === 'keyed' ? this.plan.keys.judge(key) : null;
  }

  #selects(rule: PlannedRule, node: SchemaNode): boolean {
    if (matchSelector(rule.selector, this, node.pii)) return true;
    // Attributes are known as `attributes.name.value` too, which is how they are sent.
    if (((this.types[this.length - 2] ?? 0) & ATTRIBUTES_BIT) === 0) return false;
    this.keys[this.length] = 'value';
    this.types[this.length] = this.types[this.length - 1] as number;
    this.length += 1;
    const isSelected = matchSelector(rule.selector, this, node.pii);
    this.length -= 1;
    return isSelected;
  }

  protected isSafe(node: SchemaNode): boolean {
    const { safeKeys, safeSelectors } = this.plan;
    if (safeKeys.size > 0) {
      const key = this.keys[this.length - 1];
      if (typeof key === 'string' && safeKeys.has(key.toLowerCase())) return true;
    }
    for (const selector of safeSelectors) if (matchSelector(selector, this, node.pii)) return true;
    return false;
  }

  protected count(rule: PlannedRule): void {
    this.hits.set(rule.index, (this.hits.get(rule.index) ?? 0) + 1);
  }

  protected remove(rule: string): typeof REMOVED {
    this.#mark([[rule, 'x']], null);
    return REMOVED;
  }

  #mark(remarks: readonly Remark[], length: number | null): void {
    if (this.marks.length >= MARKS_MAX) return;
    const path = this.keys.slice(1, this.length);
    this.marks.push({ path: path.map((key) => this.#withoutSecrets(key)), remarks, length });
  }

  #withoutSecrets(key: string | number): string | number {
    return typeof key === 'string' ? hideInName(key, this.plan) : key;
  }

  /** Puts the place in a list where a name stood, in the marks made since. */
  protected moveMarks(from: number, ...places: number[]): void {
    const at = this.length - 1;
    for (let index = from; index < this.marks.length; index += 1) {
      const mark = this.marks[index] as Mark;
      this.marks[index] = {
        ...mark,
        path: [...mark.path.slice(0, at), ...places, ...mark.path.slice(at + 1)],
      };
    }
  }
}

function redactWhole(target: RedactedText, redaction: Redaction): boolean {
  const before = target.text;
  target.redactWhole(redaction);
  return target.text !== before;
}
