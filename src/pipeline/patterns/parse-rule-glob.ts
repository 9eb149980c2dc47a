/** A piece of a glob. The three with folders come from `**` beside slashes, and hold those slashes. */
export type GlobToken =
  | { kind: 'text'; text: string }
  | { kind: 'one' }
  | { kind: 'star' }
  | { kind: 'folders-before' }
  | { kind: 'folders-between' }
  | { kind: 'all-within' }
  | { kind: 'class'; isNegated: boolean; ranges: readonly (readonly [string, string])[] }
  | { kind: 'choice'; choices: readonly (readonly GlobToken[])[] };

export type ParsedGlob = { tokens: readonly GlobToken[] } | { problem: string };

/** Alternatives of one pattern. */
const CHOICES_MAX = 64;

class GlobRefusal extends Error {}

/** Reads a glob as the Rust crate `globset` does: see the syntax in its documentation. */
export function parseRuleGlob(pattern: string): ParsedGlob {
  try {
    return { tokens: new GlobParser([...pattern]).read() };
  } catch (error) {
    if (error instanceof GlobRefusal) return { problem: error.message };
    throw error;
  }
}

class GlobParser {
  readonly #signs: readonly string[];
  #at = 0;
  #choices = 0;

  constructor(signs: readonly string[]) {
    this.#signs = signs;
  }

  read(): GlobToken[] {
    const tokens = this.#sequence(false);
    if (this.#at < this.#signs.length) throw new GlobRefusal('unmatched "}": write \\} for a literal brace');
    return tokens;
  }

  /** Up to the end, or within braces up to `,` or `}`. */
  #sequence(isWithinBraces: boolean): GlobToken[] {
    const tokens: GlobToken[] = [];
    for (;;) {
      const sign = this.#signs[this.#at];
      if (sign === undefined || sign === '}' || (isWithinBraces && sign === ',')) return tokens;
      this.#at += 1;
      this.#token(sign, tokens);
    }
  }

  #token(sign: string, tokens: GlobToken[]): void {
    switch (sign) {
      case '?':
        tokens.push({ kind: 'one' });
        return;
      case '*':
        this.#stars(tokens);
        return;
      case '[':
        tokens.push(this.#class());
        return;
      case '{':
        tokens.push(this.#choice());
        return;
      case '\\': {
        const escaped = this.#signs[this.#at];
        if (escaped === undefined) throw new GlobRefusal('Trailing "\\": write \\\\ for a literal backslash');
        this.#at += 1;
        addText(tokens, escaped);
        return;
      }
      default:
        addText(tokens, sign);
    }
  }

  /** Two stars mean folders only where they fill the place between two slashes. */
  #stars(tokens: GlobToken[]): void {
    if (this.#signs[this.#at] !== '*') {
      tokens.push({ kind: 'star' });
      return;
    }
    this.#at += 1;
    const next = this.#signs[this.#at];
    const before = tokens.at(-1);
    if (before === undefined) {
      if (next !== undefined && next !== '/') tokens.push({ kind: 'star' });
      else {
        tokens.push({ kind: 'folders-before' });
        this.#at += 1;
      }
      return;
    }
    const isAfterSlash = before.kind === 'text' && before.text.endsWith('/');
    const isBeforeSlash = next === '/';
    if (!isAfterSlash || !(next === undefined || isBeforeSlash)) {
      tokens.push({ kind: 'star' });
      return;
    }
    dropLastSign(tokens, before.text);
    tokens.push({ kind: isBeforeSlash ? 'folders-between' : 'all-within' });
    this.#at += 1;
  }

  #choice(): GlobToken {
    const choices: GlobToken[][] = [];
    for (;;) {
      this.#choices += 1;
      if (this.#choices > CHOICES_MAX) throw new GlobRefusal(`More than ${CHOICES_MAX} alternatives`);
      choices.push(this.#sequence(true));
      const sign = this.#signs[this.#at];
      if (sign === undefined) throw new GlobRefusal('unclosed "{": write \\{ for a literal brace');
      this.#at += 1;
      if (sign === '}') return { kind: 'choice', choices };
    }
  }

  #class(): GlobToken {
    const isNegated = this.#signs[this.#at] === '!' || this.#signs[this.#at] === '^';
    if (isNegated) this.#at += 1;
    const ranges: [string, string][] = [];
    for (let isFirst = true; ; isFirst = false) {
      const start = this.#signs[this.#at];
      if (start === undefined) throw new GlobRefusal('unclosed "[": write [[] for a literal bracket');
      this.#at += 1;
      if (start === ']' && !isFirst) return { kind: 'class', isNegated, ranges };
      const end = this.#signs[this.#at + 1];
      if (this.#signs[this.#at] !== '-' || end === undefined || end === ']') {
        ranges.push([start, start]);
        continue;
      }
      this.#at += 2;
      if (codeOf(start) > codeOf(end)) throw new GlobRefusal(`The range ${start}-${end} is out of order`);
      ranges.push([start, end]);
    }
  }
}

function addText(tokens: GlobToken[], sign: string): void {
  const last = tokens.at(-1);
  if (last?.kind === 'text') tokens[tokens.length - 1] = { kind: 'text', text: last.text + sign };
  else tokens.push({ kind: 'text', text: sign });
}

function dropLastSign(tokens: GlobToken[], text: string): void {
  if (text.length === 1) tokens.pop();
  else tokens[tokens.length - 1] = { kind: 'text', text: text.slice(0, -1) };
}

const codeOf = (sign: string): number => sign.codePointAt(0) as number;
