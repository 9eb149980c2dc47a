import type { PlatformFamily } from '../platform-family.ts';

/** What is wrong with a line of rules; the line is left out. Both numbers begin at 1. */
export type RuleProblem = { line: number; column: number; message: string };

/** What is wrong with a line, and from which character on (0-based). */
class RuleSyntaxError extends Error {
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
    if (this.isAtEnd) this.refuse('Unclosed quote', start);
    this.at += 1;
    return unescapeText(this.text.slice(start + 1, this.at - 1));
  }
}

const MATCHER_KEY = /[a-zA-Z0-9_.-]+|"[a-zA-Z0-9_.:-]+"/y;

/** `!name:`; null, and nothing read, when what follows is no matcher. */
export function readMatcherName(
  reader: RuleReader,
): { name: string; nameStart: number; isNegated: boolean } | null {
  const start = reader.at;
  const isNegated = reader.take('!');
  const nameStart = reader.at;
  const name = reader.match(MATCHER_KEY)?.replaceAll('"', '');
  if (name !== undefined && reader.take(':')) return { name, nameStart, isNegated };
  reader.at = start;
  return null;
}

/** Text of all rules of one kind. */
const TEXT_CHARS_MAX = 200_000;
/** Text of one rule. */
const LINE_CHARS_MAX = 4_000;
/** Problems reported for one text of rules. */
const PROBLEMS_MAX = 100;

/** Calls `readRule` with each line that is neither empty nor a comment, and gathers what it throws. */
export function eachRuleLine(
  text: string,
  rulesMax: number,
  readRule: (line: string) => void,
): readonly RuleProblem[] {
  if (text.length > TEXT_CHARS_MAX) {
    return [{ line: 1, column: 1, message: `Rules can have at most ${TEXT_CHARS_MAX} characters` }];
  }
  const problems: RuleProblem[] = [];
  let rules = 0;
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    const start = line.search(/\S/);
    if (start === -1 || line[start] === '#') continue;
    if (problems.length >= PROBLEMS_MAX) break;
    const report = (column: number, message: string): void => {
      problems.push({ line: index + 1, column, message });
    };
    if (line.length > LINE_CHARS_MAX) {
      report(LINE_CHARS_MAX + 1, `A rule can have at most ${LINE_CHARS_MAX} characters`);
    } else if (rules >= rulesMax) {
      report(start + 1, `There are more than ${rulesMax} rules`);
      break;
    } else {
      rules += 1;
      try {
        readRule(line);
      } catch (error) {
        if (!(error instanceof RuleSyntaxError)) throw error;
        report(error.index + 1, error.message);
      }
    }
  }
  return problems;
}

/** `yes`, `true`, `1` and their opposites; null for anything else. */
export function parseRuleBoolean(text: string): boolean | null {
  switch (text.toLowerCase()) {
    case '1':
    case 'yes':
    case 'true':
      return true;
    case '0':
    case 'no':
    case 'false':
      return false;
    default:
      return null;
  }
}

const FAMILIES: readonly PlatformFamily[] = ['native', 'javascript', 'other'];

/** `native,javascript` as a set; `all` is every family. null when no name is known. */
export function parseFamilies(text: string): ReadonlySet<PlatformFamily> | null {
  const names = text.split(',');
  const families = names.includes('all') ? FAMILIES : FAMILIES.filter((family) => names.includes(family));
  return families.length === 0 ? null : new Set(families);
}

const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|([\s\S]))/g;
const CONTROLS: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  '"': '"',
  "'": "'",
  '\\': '\\',
};

/** Resolves the escapes of a quoted text. An unknown one (`\[`) stays, for it may mean something to the glob. */
function unescapeText(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(ESCAPE, (whole: string, hex?: string, unicode?: string, sign?: string) => {
    const code = hex ?? unicode;
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return CONTROLS[sign ?? ''] ?? whole;
  });
}

/** The text in quotes, so that reading it gives it back. */
export const quoteText = (text: string): string =>
  `"${text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replace(/[\n\r\t]/g, (control) => ({ '\n': '\\n', '\r': '\\r' })[control] ?? '\\t')}"`;
