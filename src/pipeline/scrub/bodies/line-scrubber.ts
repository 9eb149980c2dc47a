import type { BodyRules, TextScrubber } from './body-rules.ts';

/** What is searched at once. */
const BLOCK_CHARS = 32 * 1024;
/** Text searched for the end of a private key. */
const KEY_CHARS_MAX = 64 * 1024;
const BREAKS = ['\n', ',', ';', '>', ' '] as const;

/** Scrubs any text that is no JSON, block by block, each cut behind a line where there are lines. */
export class LineScrubber implements TextScrubber {
  isChanged = false;
  readonly #rules: BodyRules;
  readonly #name: string;
  #waiting = '';

  constructor(rules: BodyRules, name: string) {
    this.#rules = rules;
    this.#name = name;
  }

  push(text: string): string {
    this.#waiting += text;
    let output = '';
    let from = 0;
    while (this.#waiting.length - from >= BLOCK_CHARS) {
      const end = endOfBlock(this.#waiting, from);
      if (end === null) break;
      output += this.#scrub(this.#waiting.slice(from, end));
      from = end;
    }
    this.#waiting = this.#waiting.slice(from);
    return output;
  }

  end(): string {
    const rest = this.#waiting;
    this.#waiting = '';
    return this.#scrub(rest);
  }

  #scrub(block: string): string {
    const scrubbed = this.#rules.scrub(this.#name, block);
    if (scrubbed !== block) this.isChanged = true;
    return scrubbed;
  }
}

/** null when more must come first. */
function endOfBlock(text: string, from: number): number | null {
  const limit = from + BLOCK_CHARS;
  let end = limit;
  for (const sign of BREAKS) {
    const at = text.lastIndexOf(sign, limit - 1);
    if (at < from + BLOCK_CHARS / 2) continue;
    end = at + 1;
    break;
  }
  const key = text.lastIndexOf('-----BEGIN', end);
  if (key < from || text.slice(key, end).includes('-----END')) return end;
  if (key > from) return key;
  const close = text.indexOf('-----END', from);
  if (close < 0) return text.length - from < KEY_CHARS_MAX ? null : end;
  const line = text.indexOf('\n', close);
  return line < 0 ? text.length : line + 1;
}
