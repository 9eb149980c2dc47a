import type { OwnerReference } from '#protocol/ownership.ts';
import { compileCodeownersPattern } from '../patterns/codeowners-pattern.ts';
import { compileGlob } from '../patterns/glob.ts';

/**
 * Reads ownership rules, one a line: `type:pattern owner owner`, the type being `path` (when it is left out), `module`,
 * `url`, `tags.<name>` or `codeowners`, a pattern with spaces in quotes, an owner an e-mail address or `#team`. A line
 * that begins with `#` says nothing.
 * Source: https://docs.sentry.io/product/issues/ownership-rules/
 */
export function parseOwnershipRules(text: string): ParsedOwnership {
  const rules: OwnershipRule[] = [];
  const problems: OwnershipProblem[] = [];
  for (const [index, written] of text.split(/\r\n|\r|\n/).entries()) {
    const line = index + 1;
    const trimmed = written.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    if (rules.length >= OWNERSHIP_RULES_MAX) {
      problems.push({ line, column: 1, message: `At most ${OWNERSHIP_RULES_MAX} rules are allowed` });
      break;
    }
    const parsed = parseLine(written);
    if ('message' in parsed) problems.push({ line, ...parsed });
    else rules.push({ source: 'rules', line, text: trimmed, ...parsed });
  }
  return { rules, problems };
}

type Problem = { column: number; message: string };
type ParsedLine = Pick<OwnershipRule, 'type' | 'pattern' | 'owners'>;

function parseLine(line: string): ParsedLine | Problem {
  const start = line.search(/\S/);
  const typed = readType(line, start);
  if ('message' in typed) return typed;
  const pattern = readPattern(line, typed.end);
  if ('message' in pattern) return pattern;
  const problem =
    typed.type === 'codeowners'
      ? compileCodeownersPattern(pattern.text).problem
      : problemOfGlob(pattern.text);
  if (problem !== null) return { column: typed.end + 1, message: `The pattern is invalid: ${problem}` };
  const owners = readOwners(line, pattern.end);
  return 'message' in owners ? owners : { type: typed.type, pattern: pattern.text, owners: owners.list };
}

/** Work of one pattern for each frame: limits its alternatives and classes. */
const GLOB_COST_MAX = 100;

function problemOfGlob(pattern: string): string | null {
  const { glob, problem } = compileGlob(pattern);
  if (glob && glob.cost > GLOB_COST_MAX) {
    return 'it has too many alternatives, classes, or "?" between two "*": split it into several rules';
  }
  return problem;
}

const PLAIN_TYPES: readonly string[] = ['path', 'module', 'url', 'codeowners'];

function readType(line: string, start: number): { type: OwnershipMatcherType; end: number } | Problem {
  if (line.startsWith('tags.', start)) {
    const colon = line.indexOf(':', start);
    const name = colon < 0 ? '' : line.slice(start + 'tags.'.length, colon).trim();
    if (name === '') {
      return {
        column: start + 1,
        message: 'Specify the tag and its value, such as tags.environment:production',
      };
    }
    return { type: `tags.${name}`, end: colon + 1 };
  }
  // A drive (`C:\…`) and a scheme (`app:///…`) belong to a path.
  const word = /^([A-Za-z][\w.-]+):(?!\/\/)/.exec(line.slice(start, start + 64));
  const name = word?.[1];
  if (name === undefined) return { type: 'path', end: start };
  if (!PLAIN_TYPES.includes(name)) {
    return {
      column: start + 1,
      message: `"${name}:" is not supported: use path:, module:, url:, tags.<name>:, or codeowners:`,
    };
  }
  return { type: name as OwnershipMatcherType, end: start + name.length + 1 };
}

function readPattern(line: string, start: number): { text: string; end: number } | Problem {
  if (line[start] !== '"') {
    const end = nextSpace(line, start);
    if (end === start)
      return { column: start + 1, message: 'A pattern is missing: use a format such as path:src/checkout/*' };
    return { text: line.slice(start, end), end };
  }
  let text = '';
  for (let at = start + 1; at < line.length; at += 1) {
    if (line[at] === '"') {
      if (text === '') return { column: start + 1, message: 'The quoted pattern is empty' };
      return { text, end: at + 1 };
    }
    // Of escapes only that of the quote is taken away: the others are the pattern's own.
    if (line[at] === '\\' && line[at + 1] === '"') at += 1;
    text += line[at];
  }
  return { column: start + 1, message: 'Unclosed quote: add " at the end of the pattern' };
}

function readOwners(line: string, start: number): { list: readonly OwnerReference[] } | Problem {
  const list: OwnerReference[] = [];
  for (let at = skipSpaces(line, start); at < line.length; ) {
    const end = nextSpace(line, at);
    const word = line.slice(at, end);
    const owner = readOwner(word);
    if (owner === null) {
      return {
        column: at + 1,
        message: `"${word.slice(0, 80)}" is not an email address or a team: use a format such as ana@example.com or #team`,
      };
    }
    if (list.length >= OWNERS_PER_RULE_MAX) {
      return { column: at + 1, message: `A rule can have at most ${OWNERS_PER_RULE_MAX} owners` };
    }
    list.push(owner);
    at = skipSpaces(line, end);
  }
  return { list };
}

function readOwner(word: string): OwnerReference | null {
  if (word.startsWith('#'))
    return word.length > 1 ? { kind: 'team', slug: word.slice(1).toLowerCase() } : null;
  return isEmailLike(word) ? { kind: 'email', email: word.toLowerCase() } : null;
}

function nextSpace(line: string, from: number): number {
  let end = from;
  while (end < line.length && line[end] !== ' ' && line[end] !== '\t') end += 1;
  return end;
}

function skipSpaces(line: string, from: number): number {
  let at = from;
  while (at < line.length && (line[at] === ' ' || line[at] === '\t')) at += 1;
  return at;
}

/** What a rule looks at. */
type OwnershipMatcherType = 'path' | 'module' | 'url' | 'codeowners' | `tags.${string}`;

export type OwnershipRule = {
  /** Which text it stands in. */
  source: 'rules' | 'codeowners';
  /** 1-based. */
  line: number;
  /** As written, trimmed. */
  text: string;
  type: OwnershipMatcherType;
  pattern: string;
  /** In the order in which they are named. Empty: what matches belongs to nobody. */
  owners: readonly OwnerReference[];
};

/** What is wrong with a line; it is left out. `line` and `column` are 1-based. */
export type OwnershipProblem = { line: number; column: number; message: string };

export type ParsedOwnership = {
  rules: readonly OwnershipRule[];
  problems: readonly OwnershipProblem[];
};

/** Ownership rules of a project, and its CODEOWNERS file, each. */
export const OWNERSHIP_TEXT_CHARACTERS_MAX = 100_000;
/** Rules of each of the two texts. */
export const OWNERSHIP_RULES_MAX = 2_000;
/** Owners of one rule. */
export const OWNERS_PER_RULE_MAX = 50;

export const isEmailLike = (text: string): boolean => /^[^@\s]+@[^@\s]+$/.test(text);
