import { createHmac } from 'node:crypto';
import type { TextRange } from '../patterns/linear/linear-pattern.ts';
import { FILTERED, type RuleMethod } from './rule-types.ts';

/**
 * What a rule did to a value, as it stands in `_meta`: rule, kind (`x` removed, `s` substituted, `m` masked, `p` hashed)
 * and, for a part of a text, from where to where, in UTF-16 units of the text as it is now.
 */
export type Remark =
  | readonly [rule: string, kind: RemarkKind, start: number, end: number]
  | readonly [string, 'x'];
export type RemarkKind = 'x' | 's' | 'm' | 'p';

/** How what was found is made unreadable. */
export type Redaction = {
  /** Names the rule in remarks. */
  rule: string;
  method: RuleMethod;
  /** For `replace`. */
  placeholder: string;
};

export const filterBy = (rule: string): Redaction => ({ rule, method: 'replace', placeholder: FILTERED });

type Chunk = { text: string; redaction: { rule: string; kind: RemarkKind } | null };

/**
 * A text on its way through several rules: what an earlier rule put in is not searched by a later one, which sees one
 * NUL in its place.
 */
export class RedactedText {
  readonly #original: string;
  #chunks: Chunk[];
  #search: string;
  #isChanged = false;

  constructor(text: string) {
    this.#original = text;
    this.#search = text;
    this.#chunks = [{ text, redaction: null }];
  }

  /** What the next rule searches. */
  get search(): string {
    return this.#search;
  }

  get isChanged(): boolean {
    return this.#isChanged;
  }

  get text(): string {
    return this.#chunks.map((chunk) => chunk.text).join('');
  }

  /** The length of the original in Unicode signs, as the reference counts it. */
  get originalLength(): number {
    let length = 0;
    for (const _ of this.#original) length += 1;
    return length;
  }

  get remarks(): Remark[] {
    const remarks: Remark[] = [];
    let at = 0;
    for (const { text, redaction } of this.#chunks) {
      if (redaction) remarks.push([redaction.rule, redaction.kind, at, at + text.length]);
      at += text.length;
    }
    return remarks;
  }

  /** Ranges of `search`, from left to right, without overlaps. */
  redact(ranges: readonly TextRange[], redaction: Redaction): void {
    const before = this.text;
    const chunks: Chunk[] = [];
    const copy = this.#copier(chunks);
    let position = 0;
    for (const [start, end] of ranges) {
      copy(position, start);
      chunks.push(hide(this.#search.slice(start, end), redaction));
      position = end;
    }
    copy(position, this.#search.length);
    if (chunks.map((chunk) => chunk.text).join('') === before) return;
    this.#isChanged = true;
    this.#chunks = chunks;
    this.#search = chunks.map((chunk) => (chunk.redaction ? '\0' : chunk.text)).join('');
  }

  redactWhole(redaction: Redaction): void {
    // Whatever other rules put in goes too: nothing of it is worth keeping.
    if (this.#search.length > 0) this.redact([[0, this.#search.length]], redaction);
  }

  /**
   * Copies what lies between two positions of `search`. Each call goes on where the one before ended, so that all of them
   * together visit each chunk once, however many ranges there are.
   */
  #copier(target: Chunk[]): (from: number, to: number) => void {
    let index = 0;
    let at = 0;
    return (from, to) => {
      for (; index < this.#chunks.length && at < to; index += 1) {
        const chunk = this.#chunks[index] as Chunk;
        const length = chunk.redaction ? 1 : chunk.text.length;
        const start = Math.max(from, at);
        const end = Math.min(to, at + length);
        if (start < end) {
          target.push(
            chunk.redaction ? chunk : { text: chunk.text.slice(start - at, end - at), redaction: null },
          );
        }
        // The rest of this chunk is for the next call.
        if (at + length > to) return;
        at += length;
      }
    };
  }
}

function hide(text: string, { rule, method, placeholder }: Redaction): Chunk {
  switch (method) {
    case 'remove':
      return { text: '', redaction: { rule, kind: 'x' } };
    case 'mask':
      return { text: '*'.repeat([...text].length), redaction: { rule, kind: 'm' } };
    case 'hash':
      return { text: hashText(text), redaction: { rule, kind: 'p' } };
    case 'replace':
      return { text: placeholder, redaction: { rule, kind: 's' } };
  }
}

/** The reference's: HMAC-SHA1 with an empty key, upper-case hex. Equal values stay equal; short ones can be guessed. */
export const hashText = (text: string): string =>
  createHmac('sha1', '').update(text).digest('hex').toUpperCase();

/** A text that the first rule that wants to change something makes ready: nearly all texts stay as they are. */
export class TextToScrub {
  readonly #original: string;
  #redacted: RedactedText | null = null;

  constructor(text: string) {
    this.#original = text;
  }

  /** What the next rule searches. */
  get search(): string {
    return this.#redacted?.search ?? this.#original;
  }

  /** null while nothing was changed. */
  get changed(): RedactedText | null {
    return this.#redacted?.isChanged ? this.#redacted : null;
  }

  prepare(): RedactedText {
    this.#redacted ??= new RedactedText(this.#original);
    return this.#redacted;
  }
}
