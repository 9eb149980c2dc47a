/** A longer string is scrubbed in pieces, so that a body of any size needs little memory. */
export const STRING_CHARS_MAX = 32 * 1024;

/** Where a string ends, or how far it can be read: never inside of an escape that has not ended. */
export function endOfString(read: string, text: string, from: number): { end: number; isClosed: boolean } {
  let isEscaped = false;
  for (let at = read.length - 1; at >= 0 && read[at] === '\\'; at -= 1) isEscaped = !isEscaped;
  const limit = Math.min(text.length, from + STRING_CHARS_MAX + 1);
  for (let at = from; at < limit; at += 1) {
    const unit = text.charCodeAt(at);
    if (isEscaped) isEscaped = false;
    else if (unit === BACKSLASH) isEscaped = true;
    else if (unit === QUOTE) return { end: at, isClosed: true };
  }
  return { end: limit, isClosed: false };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** In an object a string without a value before it is a name, unless it ends the object. */
export const isKey = (text: string, from: number): boolean => !/^\s*[,}]/.test(text.slice(from, from + 16));

export function decode(raw: string): string | null {
  if (!raw.includes('\\')) return raw;
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return null;
  }
}

/** Where a long string can be cut without cutting a word, an escape or a private key. */
export function cutOf(raw: string): number {
  const cut = cutOfWords(raw);
  const key = raw.lastIndexOf(KEY_BEGIN, cut - 1);
  if (key < 0) return cut;
  const lastLine = raw.indexOf(KEY_END, key);
  const dashes = lastLine < 0 ? -1 : raw.indexOf(DASHES, lastLine + KEY_END.length);
  const end = dashes < 0 ? raw.length : dashes + DASHES.length;
  if (end <= cut) return cut;
  if (key > 0 && raw[key - 1] !== '\\') return key;
  return dashes < 0 ? cut : end;
}

/** In its last quarter when there is such a place. */
function cutOfWords(raw: string): number {
  for (let at = raw.length - 1; at > (raw.length * 3) / 4; at -= 1) {
    if (/[\s,;>]/.test(raw[at] as string)) return at + 1;
  }
  const slash = raw.lastIndexOf('\\');
  return slash > raw.length - ESCAPE_CHARS_MAX ? endOfWhole(raw, slash) : raw.length;
}

const DASHES = '-----';
const KEY_BEGIN = `${DASHES}BEGIN`;
const KEY_END = `${DASHES}END`;
/** `\uXXXX\uXXXX` */
const ESCAPE_CHARS_MAX = 12;

/** Before all backslashes that stand in a row. */
function endOfWhole(raw: string, slash: number): number {
  let at = slash;
  while (at > 0 && raw[at - 1] === '\\') at -= 1;
  return at === 0 ? raw.length : at;
}

/** Output that waits behind a value whose verdict is not known yet. */
const HELD_CHARS_MAX = 32 * 1024;

/** A value that is written as it stands, or hidden, once that is decided. */
export type HeldValue = {
  /** null until it is decided. */
  text: string | null;
  readonly plain: string;
  readonly hidden: string;
  /** What comes between it and the next held value. */
  rest: string;
  next: HeldValue | null;
};

/**
 * The text that a scrubber writes. A value can be held back until what stands after it says whether it is secret; when too
 * much is waiting, the oldest value goes out as it stands.
 */
export class HeldOutput {
  #ready = '';
  #first: HeldValue | null = null;
  #last: HeldValue | null = null;
  #heldChars = 0;

  write(text: string): void {
    if (this.#last === null) {
      this.#ready += text;
      return;
    }
    this.#last.rest += text;
    this.#heldChars += text.length;
    while (this.#heldChars > HELD_CHARS_MAX && this.#first !== null) this.#release(this.#first);
  }

  hold(plain: string, hidden: string): HeldValue {
    const value: HeldValue = { text: null, plain, hidden, rest: '', next: null };
    if (this.#last === null) this.#first = value;
    else this.#last.next = value;
    this.#last = value;
    this.#heldChars += plain.length;
    return value;
  }

  /** Answers whether the value is hidden by this: not when it was decided before. */
  settle(value: HeldValue, isSecret: boolean): boolean {
    const isOpen = value.text === null;
    value.text ??= isSecret ? value.hidden : value.plain;
    while (this.#first !== null && this.#first.text !== null) this.#release(this.#first);
    return isOpen && isSecret;
  }

  /** What is ready; with `isLast` everything, undecided values as they stand. */
  take(isLast = false): string {
    while (isLast && this.#first !== null) this.#release(this.#first);
    const ready = this.#ready;
    this.#ready = '';
    return ready;
  }

  #release(first: HeldValue): void {
    first.text ??= first.plain;
    this.#ready += first.text + first.rest;
    this.#heldChars -= first.plain.length + first.rest.length;
    this.#first = first.next;
    if (first.next === null) this.#last = null;
  }
}
