import type { Plan, PlannedRule } from './compile-plan.ts';
import { findBuiltin } from './find-builtin.ts';
import type { MatchBudget } from './linear/linear-pattern.ts';
import { type Mark, putField } from './mark-tree.ts';
import { matchSelector, type PathStack } from './match-selector.ts';
import { attributeNode } from './record-schema.ts';
import { RedactedText, type Redaction, type Remark } from './redact-text.ts';
import { FILTERED } from './rule-types.ts';
import type { SchemaNode, Sweep } from './schema-node.ts';
import { KEY_RULES, type KeyVerdict, mentionsSecret, SensitiveKeys } from './sensitive-keys.ts';
import { sweepText } from './sweep-text.ts';
import { ATTRIBUTES_BIT, basicType, isCount, isEmpty, isPairList, standIn } from './walk-values.ts';

/** Steps that patterns of people's own may take in one payload; tens of milliseconds. Afterwards texts are emptied whole. */
const PATTERN_STEPS_MAX = 10_000_000;
/** Marks of one payload; what is scrubbed beyond goes unmarked. */
const MARKS_MAX = 1_000;
/** Payloads are normalized to less; what is deeper is taken away. */
const DEPTH_MAX = 64;

const UNTOUCHED_TEXTS: ReadonlySet<string> = new Set(['', 'true', 'false', 'null', 'undefined', FILTERED]);

/** Stands for a value that a rule took away. */
const REMOVED = Symbol('removed');

const filter = (rule: string): Redaction => ({ rule, method: 'replace', placeholder: FILTERED });
const KEY_REDACTIONS: Readonly<Record<NonNullable<KeyVerdict>, Redaction>> = {
  password: filter(KEY_RULES.password),
  token: filter(KEY_RULES.token),
  cookie: filter(KEY_RULES.cookie),
  listed: filter(KEY_RULES.listed),
};

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * One walk over one payload. Values that nothing changes are handed on as they are; what changes is copied on the way
 * to the root. The order at each value is that of the reference: the advanced rules, then the default ones.
 */
export class ScrubWalk implements PathStack {
  readonly keys: (string | number)[] = [''];
  readonly types: number[] = [0];
  length = 1;
  readonly marks: Mark[] = [];
  /** How often each advanced rule changed something, by its place in the settings. */
  readonly hits = new Map<number, number>();
  readonly #plan: Plan;
  readonly #budget: MatchBudget = { steps: PATTERN_STEPS_MAX };

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  walk<T extends JsonObject>(payload: T, schema: SchemaNode): T {
    this.types[0] = schema.types;
    return this.#visitFields(payload, schema) as T;
  }

  /** One value below the root, known by a name: answers the value, what stands in for it, or null. */
  walkField(name: string, value: unknown, schema: SchemaNode, rootTypes: number): unknown {
    this.types[0] = rootTypes;
    return this.#enter(name, value, schema, null);
  }

  #enter(key: string | number, value: unknown, node: SchemaNode, verdict: KeyVerdict): unknown {
    if (value === null || value === undefined || typeof value === 'boolean') return value;
    this.keys[this.length] = key;
    this.types[this.length] = node.types | basicType(value, node);
    this.length += 1;
    const result = this.#visit(value, node, verdict);
    this.length -= 1;
    if (result !== REMOVED) return result;
    return standIn(node);
  }

  #visit(value: unknown, node: SchemaNode, verdict: KeyVerdict): unknown {
    const plan = this.#plan;
    if (node.isIp && plan.scrubIp) return this.#visitIp(value, node);
    if (typeof value === 'string') return this.#visitText(value, node, verdict);
    if (isEmpty(value)) return value;
    const rule = plan.rules.length > 0 && node.pii !== 'false' ? this.#findRemoving(node) : null;
    if (rule) {
      this.#count(rule);
      return this.#remove(rule.redaction.rule);
    }
    const isKeyed = verdict !== null && (node.sweep === 'full' || node.sweep === 'keyed');
    if (isKeyed && !isCount(value, verdict, this.keys[this.length - 1]) && !this.#isSafe(node)) {
      return this.#remove(KEY_RULES[verdict]);
    }
    if (typeof value !== 'object' || value === null) return this.#visitNumber(value, node);
    if (this.length > DEPTH_MAX) return this.#remove('@anything:remove');
    if (Array.isArray(value)) {
      return node.shape !== 'map' && (node.shape === 'pairs' || isPairList(value))
        ? this.#visitPairs(value, node)
        : this.#visitList(value, node);
    }
    return this.#visitFields(value as JsonObject, node);
  }

  #visitFields(value: JsonObject, node: SchemaNode): JsonObject {
    let copy: Record<string, unknown> | null = null;
    const { fields, rest, shape } = node;
    if (fields !== null && rest === null) {
      // Only what the schema names is looked at: most fields of a frame are none of these.
      for (const [key, child] of fields) {
        if (child.pii === 'false' || !Object.hasOwn(value, key)) continue;
        const before = value[key];
        const after = this.#enter(key, before, child, null);
        if (after === before) continue;
        copy ??= { ...value };
        putField(copy, key, after);
      }
      return copy ?? value;
    }
    for (const key of Object.keys(value)) {
      const child = shape === 'attributes' ? attributeNode(key) : (fields?.get(key) ?? rest);
      if (child === null || child.pii === 'false') continue;
      const before = value[key];
      if (shape === 'set-cookies' && before === '' && this.#plan.defaultRules) {
        // A cookie without a value is a header that could not be read: its name is what was sent.
        copy ??= { ...value };
        delete copy[key];
        continue;
      }
      const verdict = this.#judgeField(key, child, shape);
      const after =
        shape === 'attributes'
          ? this.#enterAttribute(key, before, child, verdict)
          : this.#enter(key, before, child, verdict);
      if (after === before) continue;
      copy ??= { ...value };
      if (after === REMOVED) delete copy[key];
      else putField(copy, key, after);
    }
    return copy ?? value;
  }

  /** An attribute is a plain value, or `{ value, type }` as it was sent; rules see the same in both. */
  #enterAttribute(key: string, value: unknown, node: SchemaNode, verdict: KeyVerdict): unknown {
    if (
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      Object.hasOwn(value, 'value')
    ) {
      const before = (value as JsonObject).value;
      const after = this.#enterAttribute(key, before, node, verdict);
      if (after === before || after === REMOVED) return after === before ? value : REMOVED;
      return { ...value, value: after };
    }
    if (value === null || value === undefined || typeof value === 'boolean') return value;
    this.keys[this.length] = key;
    this.types[this.length] = node.types | basicType(value, node);
    this.length += 1;
    const result = this.#visit(value, node, verdict);
    this.length -= 1;
    return result;
  }

  #visitList(value: readonly unknown[], node: SchemaNode): readonly unknown[] {
    const child = node.items;
    if (child === null || child.pii === 'false') return value;
    if (value.length === 2 && typeof value[0] === 'string' && node.rest === node) {
      // Two elements may be a name and its value; when the name hides nothing, they are two elements.
      const marksBefore = this.marks.length;
      const after = this.#enter(value[0], value[1], child, this.#judge(value[0], child));
      if (after !== value[1]) {
        this.#moveMarks(marksBefore, 1);
        return [value[0], after];
      }
    }
    let copy: unknown[] | null = null;
    for (let index = 0; index < value.length; index += 1) {
      const before = value[index];
      const after = this.#enter(index, before, child, null);
      if (after === before) continue;
      copy ??= [...value];
      copy[index] = after;
    }
    return copy ?? value;
  }

  /** `[name, value]` pairs: selectors and rules see a field, marks the place in the list. */
  #visitPairs(value: readonly unknown[], node: SchemaNode): readonly unknown[] {
    let copy: unknown[] | null = null;
    for (let index = 0; index < value.length; index += 1) {
      const pair = value[index];
      if (!Array.isArray(pair) || typeof pair[0] !== 'string') continue;
      const name = pair[0];
      const child = node.fields?.get(name.toLowerCase()) ?? node.rest ?? node;
      const verdict = this.#judgeField(name, child, node.shape);
      const marksBefore = this.marks.length;
      const after = this.#enter(name, pair[1], child, verdict);
      if (after === pair[1]) continue;
      this.#moveMarks(marksBefore, index, 1);
      copy ??= [...value];
      copy[index] = [name, after];
    }
    return copy ?? value;
  }

  #visitText(text: string, node: SchemaNode, verdict: KeyVerdict): unknown {
    if (node.pii === 'false' || UNTOUCHED_TEXTS.has(text)) return text;
    if (node.shape === 'path') return this.#visitFilePath(text, node);
    return this.#redact(text, node, verdict, node.sweep);
  }

  /** An address is kept in the form that somebody's own rule gives it, such as a hash; else not at all. */
  #visitIp(value: unknown, node: SchemaNode): unknown {
    const after =
      typeof value === 'string' && this.#plan.rules.length > 0
        ? this.#redact(value, node, null, 'none')
        : value;
    return after === value ? this.#remove('@anything:remove') : after;
  }

  /** The last part of a path tells files apart and stays. */
  #visitFilePath(text: string, node: SchemaNode): unknown {
    if (this.#plan.rules.length === 0) return text;
    const cut = Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\'));
    if (cut <= 0) return text;
    const folder = text.slice(0, cut);
    const after = this.#redact(folder, node, null, node.sweep);
    if (after === REMOVED) return text.slice(cut + 1);
    return after === folder ? text : `${after as string}${text.slice(cut)}`;
  }

  #redact(text: string, node: SchemaNode, verdict: KeyVerdict, sweep: Sweep): unknown {
    const plan = this.#plan;
    let redacted: RedactedText | null = null;
    const prepare = (): RedactedText => {
      redacted ??= new RedactedText(text);
      return redacted;
    };
    if (plan.rules.length > 0) {
      for (const rule of plan.rules) {
        if (!this.#selects(rule, node)) continue;
        if (rule.type === 'anything' && rule.redaction.method === 'remove') {
          this.#count(rule);
          return this.#remove(rule.redaction.rule);
        }
        const isChanged = this.#applyRule(rule, redacted ? (redacted as RedactedText).search : text, prepare);
        if (isChanged) this.#count(rule);
      }
    }
    if (sweep !== 'none' && !this.#isSafe(node)) {
      if (verdict !== null && sweep !== 'quiet' && sweep !== 'text') {
        prepare().redactWhole(KEY_REDACTIONS[verdict]);
      } else {
        sweepText(redacted ? (redacted as RedactedText).search : text, sweep, plan, prepare);
      }
    }
    const result = redacted as RedactedText | null;
    if (result === null || !result.isChanged) return text;
    this.#mark(result.remarks, result.originalLength);
    return result.text;
  }

  /** Answers whether the rule changed the text. */
  #applyRule(rule: PlannedRule, search: string, prepare: () => RedactedText): boolean {
    const { type, redaction } = rule;
    if (type === 'anything') return redactWhole(prepare(), redaction);
    if (type === 'password') {
      const key = this.keys[this.length - 1];
      const isSecret =
        (typeof key === 'string' && PASSWORD_KEYS.judge(key) !== null) || mentionsSecret(search);
      if (isSecret) return redactWhole(prepare(), redaction);
    }
    const ranges =
      type === 'pattern'
        ? (rule.pattern?.findAll(search, this.#budget) ?? null)
        : findBuiltin(type === 'password' ? 'bearer' : type, search);
    // Nobody knows what an unfinished search would have found.
    if (ranges === null)
      return redactWhole(prepare(), { ...redaction, method: 'replace', placeholder: FILTERED });
    if (ranges.length === 0) return false;
    const target = prepare();
    const before = target.text;
    target.redact(ranges, redaction);
    return target.text !== before;
  }

  /** A rule that takes away what is no text: all it can do with lists, objects and numbers. */
  #findRemoving(node: SchemaNode): PlannedRule | null {
    for (const rule of this.#plan.rules) {
      if (rule.type !== 'anything' && rule.type !== 'password') continue;
      if (!this.#selects(rule, node)) continue;
      if (rule.type === 'anything') return rule;
      const key = this.keys[this.length - 1];
      if (typeof key === 'string' && PASSWORD_KEYS.judge(key) !== null) return rule;
    }
    return null;
  }

  /** Numbers are looked at only where a card's number would be one. */
  #visitNumber(value: unknown, node: SchemaNode): unknown {
    if (node.sweep !== 'full' || !this.#plan.defaultRules) return value;
    if (typeof value !== 'number' || value < 1e14 || !Number.isSafeInteger(value)) return value;
    if (findBuiltin('creditcard', String(value)).length === 0 || this.#isSafe(node)) return value;
    return this.#remove('@creditcard:filter');
  }

  #judgeField(key: string, child: SchemaNode, shape: SchemaNode['shape']): KeyVerdict {
    if (shape === 'cookies') return this.#plan.keys.judgeCookie(key);
    if (shape === 'set-cookies' && this.#plan.defaultRules) return 'cookie';
    return this.#judge(key, child);
  }

  #judge(key: string, child: SchemaNode): KeyVerdict {
    return child.sweep === 'full' || child.sweep === 'keyed' ? this.#plan.keys.judge(key) : null;
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

  #isSafe(node: SchemaNode): boolean {
    const { safeKeys, safeSelectors } = this.#plan;
    if (safeKeys.size > 0) {
      const key = this.keys[this.length - 1];
      if (typeof key === 'string' && safeKeys.has(key.toLowerCase())) return true;
    }
    for (const selector of safeSelectors) if (matchSelector(selector, this, node.pii)) return true;
    return false;
  }

  #count(rule: PlannedRule): void {
    this.hits.set(rule.index, (this.hits.get(rule.index) ?? 0) + 1);
  }

  #remove(rule: string): typeof REMOVED {
    this.#mark([[rule, 'x']], null);
    return REMOVED;
  }

  #mark(remarks: readonly Remark[], length: number | null): void {
    if (this.marks.length >= MARKS_MAX) return;
    this.marks.push({ path: this.keys.slice(1, this.length), remarks, length });
  }

  /** Puts the place in a list where a name stood, in the marks made since. */
  #moveMarks(from: number, ...places: number[]): void {
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

/** For rules of the type `password`, whatever the project's own lists say. */
const PASSWORD_KEYS = new SensitiveKeys(true, []);

function redactWhole(target: RedactedText, redaction: Redaction): boolean {
  const before = target.text;
  target.redactWhole(redaction);
  return target.text !== before;
}
