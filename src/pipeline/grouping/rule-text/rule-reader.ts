import { unescapeText } from './unescape-text.ts';

/** What is wrong with a line, and from which character on (0-based). */
export class RuleSyntaxError extends Error {
  readonly index: number;
  constructor(index: number, message: string) {
    super(message);
    this.index = index;
  }
}

/** A place in a line of rules, moved on by what is read. */
export class RuleReader {
  readonly text: string;
  at = 0;

  constructor(line: string) {
    this.text = line.trimEnd();
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** Whether what follows is only a comment, or nothing. */
  get isAtRest(): boolean {
    this.skipSpace();
    return this.isAtEnd || this.text[this.at] === '#';
  }

  skipSpace(): void {
    while (this.text[this.at] === ' ' || this.text[this.at] === '\t') this.at += 1;
  }

  /** Takes the sign when it comes next. */
  take(sign: string): boolean {
    if (!this.text.startsWith(sign, this.at)) return false;
    this.at += sign.length;
    return true;
  }

  expect(sign: string, message: string): void {
    if (!this.take(sign)) this.refuse(message);
  }

  refuse(message: string, index = this.at): never {
    throw new RuleSyntaxError(index, message);
  }

  /** Takes what the sticky pattern matches here, or null. */
  match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found === undefined) return null;
    this.at += found.length;
    return found;
  }

  /** A text in quotes, its escapes resolved; null when no quote comes next. */
  quoted(): string | null {
    const start = this.at;
    if (!this.take('"')) return null;
    while (!this.isAtEnd && this.text[this.at] !== '"') this.at += this.text[this.at] === '\\' ? 2 : 1;
    if (this.isAtEnd) this.refuse('This quote is never closed', start);
    this.at += 1;
    return unescapeText(this.text.slice(start + 1, this.at - 1));
  }
}
