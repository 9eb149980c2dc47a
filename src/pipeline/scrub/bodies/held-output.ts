/** What is written after a held value waits with it, up to this many characters together. */
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
