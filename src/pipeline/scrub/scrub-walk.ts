import { findBuiltin } from './find-builtin.ts';
import { freeName, hideInName, mayHoldSecrets } from './hide-in-name.ts';
import { putField } from './mark-tree.ts';
import { attributeNode } from './record-schema.ts';
import { FILTERED } from './rule-types.ts';
import { FIXED, isLeaf, json, type SchemaNode } from './schema-node.ts';
import { REMOVED, ScrubPath } from './scrub-path.ts';
import { flagName, isPlainName, KEY_RULES, type KeyVerdict } from './sensitive-keys.ts';
import { basicType, isCount, isEmpty, isPairList, standIn } from './walk-values.ts';

/** Values nested deeper are removed; normalized payloads are flatter. */
const DEPTH_MAX = 64;

const NO_FIELDS: ReadonlyMap<string, SchemaNode> = new Map();
/** What stands where a pair was expected. */
const NO_PAIR = json('full');
/** Safe fields can be any, also those that no rule reaches. */
const SAFE_WHEN_NAMED: SchemaNode = { ...FIXED, pii: 'named' };

const UNTOUCHED_TEXTS: ReadonlySet<string> = new Set(['', 'true', 'false', 'null', 'undefined', FILTERED]);

/** Stands for the result of a look at an element that is no value of a name. */
const NOT_NAMED = Symbol('not named');

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * One walk over one payload. Values that nothing changes are handed on as they are; what changes is copied on the way
 * to the root. The order at each value is that of the reference: the advanced rules, then the default ones.
 */
export class ScrubWalk extends ScrubPath {
  walk<T extends JsonObject>(payload: T, schema: SchemaNode): T {
    this.types[0] = schema.types;
    return this.#visitFields(payload, schema) as T;
  }

  /** One value below the root, known by a name: answers the value, what stands in for it, or null. */
  walkField(name: string, value: unknown, schema: SchemaNode, rootTypes: number): unknown {
    this.types[0] = rootTypes;
    return this.#enter(name, value, schema, null);
  }

  /** Anything that no rule reaches: only known secrets are taken out. */
  walkFixed(value: unknown): unknown {
    return this.#enterFixed('', value);
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
    const plan = this.plan;
    if (node.isIp && plan.scrubIp) return this.#visitIp(value, node);
    if (typeof value === 'string') return this.#visitText(value, node, verdict);
    if (isEmpty(value)) return value;
    const rule = plan.rules.length > 0 && node.pii !== 'false' ? this.findRemoving(node) : null;
    if (rule) {
      this.count(rule);
      return this.remove(rule.redaction.rule);
    }
    const isKeyed = verdict !== null && (node.sweep === 'full' || node.sweep === 'keyed');
    if (isKeyed && !isCount(value, verdict, this.keys[this.length - 1]) && !this.isSafe(node)) {
      return this.remove(KEY_RULES[verdict]);
    }
    if (typeof value !== 'object' || value === null) return this.#visitNumber(value, node);
    if (this.length > DEPTH_MAX) return this.remove('@anything:remove');
    if (Array.isArray(value)) {
      return node.shape !== 'map' && (node.shape === 'pairs' || isPairList(value))
        ? this.#visitPairs(value, node)
        : this.#visitList(value, node);
    }
    return this.#visitFields(value as JsonObject, node);
  }

  #visitFields(value: JsonObject, node: SchemaNode): JsonObject {
    const { fields, rest, shape } = node;
    if (fields !== null && rest === null) return this.#visitListed(value, fields);
    let copy: Record<string, unknown> | null = null;
    const other = rest ?? (isLeaf(node) ? node : null);
    for (const key of Object.keys(value)) {
      const child = shape === 'attributes' ? attributeNode(key) : (fields?.get(key) ?? other);
      const before = value[key];
      if (shape === 'set-cookies' && before === '' && this.plan.defaultRules) {
        // A cookie without a value is a header that could not be read: its name is what was sent.
        copy ??= { ...value };
        delete copy[key];
        continue;
      }
      const beside = key === 'value' ? nameBeside(value) : null;
      const after = this.#visitField(key, before, child, shape, beside ?? key);
      const name = hideInName(key, this.plan);
      if (after === before && name === key) continue;
      copy ??= { ...value };
      replaceField(copy, key, name, after);
    }
    return copy ?? value;
  }

  /** Fields that the schema lists; in all others only known secrets are looked for. */
  #visitListed(value: JsonObject, fields: ReadonlyMap<string, SchemaNode>): JsonObject {
    let copy: Record<string, unknown> | null = null;
    for (const key in value) {
      // It follows the shape of the payload, and is scrubbed by itself.
      if (key === '_meta' && this.length === 1) continue;
      const before = value[key];
      const child = fields.get(key);
      const isListed = child !== undefined && child.pii !== 'false';
      const after = isListed ? this.#enter(key, before, child, null) : this.#enterFixed(key, before);
      const name = child === undefined ? hideInName(key, this.plan) : key;
      if (after === before && name === key) continue;
      copy ??= { ...value };
      replaceField(copy, key, name, after);
    }
    return copy ?? value;
  }

  /** `name` is what the value is known by, nearly always its key. */
  #visitField(
    key: string,
    value: unknown,
    child: SchemaNode | null,
    shape: SchemaNode['shape'],
    name: string,
  ): unknown {
    if (child === null || child.pii === 'false') return this.#enterFixed(key, value);
    const verdict = this.judgeField(name, child, shape);
    return shape === 'attributes'
      ? this.#enterAttribute(key, value, child, verdict)
      : this.#enter(key, value, child, verdict);
  }

  /** A value that no rule reaches, and no name hides: only known secrets are taken out of it. */
  #enterFixed(key: string | number, value: unknown): unknown {
    if (typeof value === 'string') {
      if (!mayHoldSecrets(value)) return value;
    } else if (typeof value !== 'object' || value === null) return value;
    if (!this.plan.defaultRules) return value;
    this.keys[this.length] = key;
    this.types[this.length] = basicType(value, FIXED);
    this.length += 1;
    let result: unknown;
    if (typeof value === 'string') result = this.sweepAlone(value, SAFE_WHEN_NAMED);
    else if (this.length > DEPTH_MAX) result = this.remove('@anything:remove');
    else if (Array.isArray(value)) result = this.#visitElements(value);
    else result = this.#visitListed(value as JsonObject, NO_FIELDS);
    this.length -= 1;
    return result === REMOVED ? null : result;
  }

  #visitElements(value: readonly unknown[]): readonly unknown[] {
    let copy: unknown[] | null = null;
    for (let index = 0; index < value.length; index += 1) {
      const after = this.#enterFixed(index, value[index]);
      if (after === value[index]) continue;
      copy ??= [...value];
      copy[index] = after;
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
    const child = node.items ?? (isLeaf(node) ? node : null);
    if (child === null || child.pii === 'false') {
      return this.plan.defaultRules ? this.#visitElements(value) : value;
    }
    let copy: unknown[] | null = null;
    for (let index = 0; index < value.length; index += 1) {
      const before = value[index];
      const named = this.#enterNamed(value, index, child);
      const after = named === NOT_NAMED ? this.#enterElement(value, index, child) : named;
      if (after === before) continue;
      copy ??= [...value];
      copy[index] = after;
    }
    return copy ?? value;
  }

  /**
   * The second of two elements may be the value of the first, and what follows `--password` is its value. Where a name
   * hides nothing, it is an element like any other.
   */
  #enterNamed(list: readonly unknown[], index: number, child: SchemaNode): unknown {
    const before = index > 0 ? list[index - 1] : null;
    if (typeof before !== 'string') return NOT_NAMED;
    const name = list.length === 2 ? before : flagName(before);
    const verdict = name === null ? null : this.judge(name, child);
    if (name === null || (verdict === null && this.plan.rules.length === 0)) return NOT_NAMED;
    const marksBefore = this.marks.length;
    const after = this.#enter(name, list[index], child, verdict);
    if (after === list[index]) return NOT_NAMED;
    this.moveMarks(marksBefore, index);
    return after;
  }

  #enterElement(list: readonly unknown[], index: number, child: SchemaNode): unknown {
    const value = list[index];
    // The name of a pair stays readable: it says what was hidden.
    const isName = index === 0 && list.length === 2 && typeof value === 'string' && isPlainName(value);
    if (isName && this.judge(value, child) !== null) return this.#enterFixed(index, value);
    return this.#enter(index, value, child, null);
  }

  /** `[name, value]` pairs: selectors and rules see a field, marks the place in the list. */
  #visitPairs(value: readonly unknown[], node: SchemaNode): readonly unknown[] {
    let copy: unknown[] | null = null;
    for (let index = 0; index < value.length; index += 1) {
      const pair: unknown = value[index];
      const after = isPair(pair)
        ? this.#visitPair(pair, index, node)
        : this.#enter(index, pair, NO_PAIR, null);
      if (after === pair) continue;
      copy ??= [...value];
      copy[index] = after;
    }
    return copy ?? value;
  }

  #visitPair(pair: readonly [string, unknown], index: number, node: SchemaNode): readonly unknown[] {
    const [name, value] = pair;
    const child = node.fields?.get(name.toLowerCase()) ?? node.rest ?? node;
    const marksBefore = this.marks.length;
    const after = this.#enter(name, value, child, this.judgeField(name, child, node.shape));
    if (after !== value) this.moveMarks(marksBefore, index, 1);
    const nameAfter = this.#visitPairName(name, index, child);
    return after === value && nameAfter === name ? pair : [nameAfter, after];
  }

  /** A plain name hides its value and stays; anything else in its place is a text. */
  #visitPairName(name: string, index: number, child: SchemaNode): string {
    if (isPlainName(name)) return hideInName(name, this.plan);
    this.keys[this.length] = index;
    this.types[this.length] = 0;
    this.length += 1;
    const after = this.#enter(0, name, { ...child, isIp: false, empty: 'text' }, null);
    this.length -= 1;
    return typeof after === 'string' ? after : '';
  }

  #visitText(text: string, node: SchemaNode, verdict: KeyVerdict): unknown {
    if (node.pii === 'false' || UNTOUCHED_TEXTS.has(text)) return text;
    if (node.shape === 'path') return this.#visitFilePath(text, node);
    return this.redact(text, node, verdict, node.sweep);
  }

  /** An address is kept in the form that somebody's own rule gives it, such as a hash; else not at all. */
  #visitIp(value: unknown, node: SchemaNode): unknown {
    const after =
      typeof value === 'string' && this.plan.rules.length > 0
        ? this.redact(value, node, null, 'none')
        : value;
    return after === value ? this.remove('@anything:remove') : after;
  }

  /** The last part of a path tells files apart and stays. */
  #visitFilePath(text: string, node: SchemaNode): unknown {
    const cut = Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\'));
    if (this.plan.rules.length === 0 || cut <= 0) return this.sweepAlone(text, node);
    const folder = text.slice(0, cut);
    const after = this.redact(folder, node, null, node.sweep);
    const name = hideInName(text.slice(cut), this.plan);
    if (after === REMOVED) return name.slice(1);
    return after === folder && name.length === text.length - cut ? text : `${after as string}${name}`;
  }

  /** Numbers are looked at only where a card's number would be one. */
  #visitNumber(value: unknown, node: SchemaNode): unknown {
    if (node.sweep !== 'full' || !this.plan.defaultRules) return value;
    if (typeof value !== 'number' || value < 1e14 || !Number.isSafeInteger(value)) return value;
    if (findBuiltin('creditcard', String(value)).length === 0 || this.isSafe(node)) return value;
    return this.remove('@creditcard:filter');
  }
}

/** A header or a field of a form is often `{ name, value }`. */
function nameBeside({ name, key }: JsonObject): string | null {
  const beside = name ?? key;
  return typeof beside === 'string' ? beside : null;
}

function replaceField(target: Record<string, unknown>, key: string, name: string, value: unknown): void {
  if (name !== key || value === REMOVED) delete target[key];
  if (value !== REMOVED) putField(target, name === key ? key : freeName(target, name), value);
}

const isPair = (value: unknown): value is readonly [string, unknown] =>
  Array.isArray(value) && value.length === 2 && typeof value[0] === 'string';
