import { hideInName } from '../hide-in-name.ts';
import { FILTERED } from '../rule-types.ts';
import { flagName, type KeyVerdict } from '../sensitive-keys.ts';
import { isCount } from '../walk-values.ts';
import { type BodyRules, isEmbeddedFile, type TextScrubber } from './body-rules.ts';
import {
  cutOf,
  decode,
  endOfString,
  HeldOutput,
  type HeldValue,
  isKey,
  STRING_CHARS_MAX,
} from './json-strings.ts';
import { LineScrubber } from './line-scrubber.ts';

/** Values nested deeper are treated as part of the object at this depth. */
const DEPTH_MAX = 1_000;

type Level = {
  isObject: boolean;
  /** Everything below is hidden: it stands under a sensitive name. */
  isHidden: boolean;
  /** Of an object: the name that the next value has. */
  key: string | null;
  verdict: KeyVerdict;
  /** Of an object: whether its `name` or `type` is sensitive, so that its `value` is too. */
  namesSecret: boolean;
  /** Of an object: values that stand before its `name` and `type`, one for each name in VALUES. */
  held: readonly HeldValue[];
  /** Of a list: the string before, and how many elements there were. */
  before: string | null;
  count: number;
};

/**
 * Scrubs the text of JSON values as it comes, in pieces of any length, and leaves every character alone that holds
 * nothing private: numbers keep their digits, unknown escapes stay. From where it is no JSON on, it is scrubbed as lines.
 */
export class JsonScrubber implements TextScrubber {
  #isChanged = false;
  readonly #rules: BodyRules;
  readonly #name: string;
  /** What goes on where the text stopped being JSON. */
  #lines: LineScrubber | null = null;
  readonly #output = new HeldOutput();
  readonly #levels: Level[] = [newLevel(false, false)];
  #extraDepth = 0;
  /** What was read of a string that has not ended, without its quote; null between strings. */
  #string: string | null = null;
  /** Whether a part of this string has been handed on already. */
  #isSplit = false;
  /** Whether it began as a picture or a font does. */
  #isEmbedded = false;
  /** A number or word whose end has not come yet. */
  #scalar = '';

  constructor(rules: BodyRules, name: string) {
    this.#rules = rules;
    this.#name = name;
  }

  get isChanged(): boolean {
    return this.#isChanged || (this.#lines?.isChanged ?? false);
  }

  push(text: string): string {
    this.#read(text);
    return this.#output.take();
  }

  end(): string {
    this.#endScalar();
    if (this.#string !== null) {
      this.#write(`${this.#isSplit ? '' : '"'}${this.#scrubRaw(this.#string, this.#verdict())}`);
    }
    this.#string = null;
    return this.#output.take(true) + (this.#lines?.end() ?? '');
  }

  #read(text: string): void {
    let at = 0;
    let slash = text.indexOf('\\');
    while (at < text.length) {
      if (this.#lines !== null) {
        this.#write(this.#lines.push(text.slice(at)));
        return;
      }
      if (this.#string !== null) {
        const { end, isClosed } = endOfString(this.#string, text, at);
        this.#string += text.slice(at, end);
        at = isClosed ? end + 1 : end;
        if (isClosed) this.#endString(text, at);
        else if (this.#string.length > STRING_CHARS_MAX) this.#splitString();
        continue;
      }
      STRUCTURE.lastIndex = at;
      const next = STRUCTURE.exec(text);
      const to = next?.index ?? text.length;
      this.#scalar += text.slice(at, to);
      at = to;
      if (next === null && this.#scalar.length < SCALAR_CHARS_MAX) break;
      this.#endScalar();
      if (next === null || this.#lines !== null) continue;
      at = to + 1;
      const sign = next[0];
      if (sign === '"') {
        this.#isSplit = false;
        if (slash >= 0 && slash < at) slash = text.indexOf('\\', at);
        const end = text.indexOf('"', at);
        // Nearly all strings are short, and have no escapes.
        const isWhole = end >= 0 && (slash < 0 || slash > end) && end - at <= STRING_CHARS_MAX;
        this.#string = isWhole ? text.slice(at, end) : '';
        if (isWhole) {
          at = end + 1;
          this.#endString(text, at);
        }
      } else {
        this.#write(sign);
        this.#structure(sign);
      }
    }
  }

  #write(text: string): void {
    this.#output.write(text);
  }

  get #level(): Level {
    return this.#levels.at(-1) as Level;
  }

  #structure(sign: string): void {
    const level = this.#level;
    switch (sign) {
      case '{':
      case '[':
        if (this.#levels.length >= DEPTH_MAX) this.#extraDepth += 1;
        else this.#levels.push(newLevel(sign === '{', level.isHidden || this.#verdict() !== null));
        break;
      case '}':
      case ']':
        if (this.#extraDepth > 0) this.#extraDepth -= 1;
        else if (this.#levels.length > 1) {
          this.#settle(this.#levels.pop() as Level, false);
          this.#endValue(null);
        }
        break;
      case ',':
        level.key = null;
        break;
    }
  }

  /** What the place of the next value says about it. */
  #verdict(): KeyVerdict {
    const { isObject, key, verdict, namesSecret, before, count } = this.#level;
    if (isObject) return verdict ?? (namesSecret && key !== null && VALUES.has(key) ? 'password' : null);
    if (before === null) return null;
    const name = count === 1 ? before : flagName(before);
    return name === null ? null : this.#rules.judge(name);
  }

  #endValue(text: string | null): void {
    const level = this.#level;
    if (level.isObject) {
      if (text !== null && level.key !== null && NAMES.has(level.key)) {
        level.namesSecret ||= this.#rules.judge(text) !== null;
        if (level.namesSecret) this.#settle(level, true);
      }
      level.verdict = null;
    } else {
      level.before = text;
      level.count += 1;
    }
  }

  /** The string has ended; `next` is where the text behind its quote begins. */
  #endString(text: string, next: number): void {
    const raw = this.#string as string;
    this.#string = null;
    const level = this.#level;
    const verdict = this.#verdict();
    if (this.#isSplit) {
      this.#write(`${this.#scrubRaw(raw, verdict)}"`);
      this.#endValue(null);
      return;
    }
    const value = decode(raw);
    if (level.isObject && level.key === null && (value === null || isKey(text, next))) {
      level.key = value ?? raw;
      level.verdict = this.#rules.judge(level.key);
      const name = hideInName(level.key, this.#rules.plan);
      this.#write(this.#written(raw, level.key, name));
      return;
    }
    const scrubbed = this.#scrub(value ?? raw, verdict);
    const written = this.#written(raw, value ?? raw, scrubbed);
    const isOpen = scrubbed !== '' && scrubbed !== FILTERED && this.#mayBeNamedLater(verdict);
    if (isOpen) this.#hold(written, JSON.stringify(FILTERED));
    else this.#write(written);
    this.#endValue(value);
  }

  /** Whether the value that ends here could be hidden by a `name` behind it. */
  #mayBeNamedLater(verdict: KeyVerdict): boolean {
    const { isObject, isHidden, key } = this.#level;
    return isObject && !isHidden && verdict === null && key !== null && VALUES.has(key);
  }

  #hold(plain: string, hidden: string): void {
    const level = this.#level;
    const [oldest] = level.held;
    // More than one of a name: no reader has use for the earlier ones.
    if (oldest && level.held.length >= VALUES.size) this.#output.settle(oldest, false);
    level.held = [...level.held.slice(1 - VALUES.size), this.#output.hold(plain, hidden)];
  }

  #settle(level: Level, isSecret: boolean): void {
    for (const value of level.held) if (this.#output.settle(value, isSecret)) this.#isChanged = true;
    if (level.held.length > 0) level.held = [];
  }

  #splitString(): void {
    const raw = this.#string as string;
    const cut = cutOf(raw);
    const piece = raw.slice(0, cut);
    if (!this.#isSplit) {
      this.#write('"');
      this.#isEmbedded = isEmbeddedFile(decode(piece) ?? piece);
    }
    this.#write(this.#scrubRaw(piece, this.#verdict()));
    this.#isSplit = true;
    this.#string = raw.slice(cut);
  }

  #scrubRaw(raw: string, verdict: KeyVerdict): string {
    const isHidden = this.#level.isHidden || verdict !== null;
    if (this.#isSplit && this.#isEmbedded && !isHidden && BASE64.test(raw)) return raw;
    const value = decode(raw) ?? raw;
    const scrubbed = this.#scrub(value, verdict);
    if (scrubbed === value) return raw;
    this.#isChanged = true;
    return JSON.stringify(scrubbed).slice(1, -1);
  }

  #scrub(value: string, verdict: KeyVerdict): string {
    const level = this.#level;
    if ((level.isHidden || verdict !== null) && value !== '') return FILTERED;
    return this.#rules.scrub(level.key ?? '', value);
  }

  #written(raw: string, before: string, after: string): string {
    if (before === after) return `"${raw}"`;
    this.#isChanged = true;
    return JSON.stringify(after);
  }

  #endScalar(): void {
    const scalar = this.#scalar;
    if (scalar === '') return;
    this.#scalar = '';
    const word = scalar.trim();
    if (word === '') {
      this.#write(scalar);
      return;
    }
    if (!LITERAL.test(word)) {
      this.#lines = new LineScrubber(this.#rules, this.#name);
      this.#write(this.#lines.push(scalar));
      return;
    }
    const verdict = this.#verdict();
    const { isHidden, key } = this.#level;
    const isOpen = this.#mayBeNamedLater(verdict);
    const canHide = /^-?\d/.test(word) && (isOpen || isHidden || verdict !== null);
    if (!canHide || isCount(Number(word), isOpen ? 'password' : verdict, key ?? undefined))
      this.#write(scalar);
    else if (isOpen) this.#hold(scalar, scalar.replace(word, 'null'));
    else {
      this.#isChanged = true;
      this.#write(scalar.replace(word, 'null'));
    }
    this.#endValue(null);
  }
}

const STRUCTURE = /["{}[\],:]/g;
const LITERAL = /^(?:true|false|null|NaN|-?Infinity|-?\d[\d.eE+-]*)$/;
/** How the rest of an embedded file goes on in JSON. */
const BASE64 = /^[\w+/=\\-]*$/;
/** A number with the blanks around it. */
const SCALAR_CHARS_MAX = 1_024;
/** Fields that say what the value beside them is, as headers, inputs and metas have them. */
const NAMES: ReadonlySet<string> = new Set(['name', 'type', 'key', 'header']);
const VALUES: ReadonlySet<string> = new Set(['value', 'content']);

const newLevel = (isObject: boolean, isHidden: boolean): Level => ({
  isObject,
  isHidden,
  key: null,
  verdict: null,
  namesSecret: false,
  held: [],
  before: null,
  count: 0,
});
