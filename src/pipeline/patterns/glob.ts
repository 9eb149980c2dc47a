import { matchPieces } from './match-pieces.ts';

/**
 * A pattern as people write it, made ready. `matches` takes text that was put into lower case. `cost` is how many
 * comparisons one character of the text takes at most, 2 for a plain pattern.
 */
export type Glob = { matches: (lowerCased: string) => boolean; cost: number };
export type GlobResult = { glob: Glob; problem: null } | { glob: null; problem: string };

/** Text of one pattern. */
const PATTERN_CHARS_MAX = 1_024;
/** Patterns that the braces of one stand for: `{a,b}{c,d}` is four. */
const ALTERNATIVES_MAX = 64;

/** One code point: a literal one, any, or one of (or none of) some ranges. */
type Part =
  | { kind: 'character'; lower: string }
  | { kind: 'any' }
  | { kind: 'class'; isNegated: boolean; ranges: readonly (readonly [string, string])[] };
/** What stands between two `*`: parts that match one code point each. */
type Segment = readonly Part[];

/**
 * Compiles a glob as inbound filters and ownership rules use it: `*` any text, `?` one character, `[a-z]` and `[!a-z]` one of a class, `{a,b}` one of several, and
 * `\` before any of these to mean the sign itself. Upper and lower case are the same; the empty pattern matches nothing.
 * Matching walks the text once for each part of the pattern and never goes back, so no pattern can be made slow.
 * Source: relay-pattern/src/lib.rs
 */
export function compileGlob(pattern: string): GlobResult {
  if (pattern.length > PATTERN_CHARS_MAX) {
    return { glob: null, problem: `a pattern has at most ${PATTERN_CHARS_MAX} characters` };
  }
  const parsed = parse([...pattern]);
  if ('problem' in parsed) return { glob: null, problem: parsed.problem };
  const matchers = parsed.alternatives.filter((segments) => segments.length > 0).map(matcherOf);
  const matches = (text: string) => matchers.some((matcher) => matcher(text));
  return { glob: { matches, cost: costOf(parsed.alternatives) }, problem: null };
}

function costOf(alternatives: readonly Alternative[]): number {
  return alternatives.map(costOfAlternative).reduce((sum, each) => sum + each, 1);
}

/** What stands between two `*` is tried at every place of the text, its beginning and its end at one place each. */
function costOfAlternative(segments: Alternative): number {
  if (segments.every(isLiteral)) return 1;
  const tried = segments.slice(1, -1).map((segment) => segment.reduce((sum, part) => sum + widthOf(part), 0));
  return Math.max(1, ...segments.flat().map(widthOf), ...tried);
}

const widthOf = (part: Part): number => (part.kind === 'class' ? part.ranges.length : 1);

/** Whether any of the patterns matches; those that cannot be read are left out. null when none is left. */
export function compileGlobs(patterns: readonly string[]): ((text: string) => boolean) | null {
  const globs = patterns.flatMap((pattern) => compileGlob(pattern).glob ?? []);
  if (globs.length === 0) return null;
  return (text) => {
    const lower = text.toLowerCase();
    for (const glob of globs) if (glob.matches(lower)) return true;
    return false;
  };
}

/** A pattern as segments with a `*` between each two of them; an empty list for the empty pattern. */
type Alternative = readonly Segment[];

type Building = { segments: Part[][] };
const START: Building = { segments: [[]] };

function parse(chars: readonly string[]): { alternatives: readonly Alternative[] } | { problem: string } {
  let built: Building[] = [START];
  let at = 0;
  while (at < chars.length) {
    if (chars[at] === '}') return { problem: 'unmatched "}": write \\} for a literal brace' };
    if (chars[at] !== '{') {
      const token = tokenAt(chars, at);
      if ('problem' in token) return token;
      built = built.map((each) => append(each, token.part));
      at = token.end;
      continue;
    }
    const group = groupAt(chars, at);
    if ('problem' in group) return group;
    if (built.length * group.choices.length > ALTERNATIVES_MAX) {
      return { problem: `more than ${ALTERNATIVES_MAX} combinations of alternatives` };
    }
    built = built.flatMap((each) => group.choices.map((choice) => choice.reduce(append, each)));
    at = group.end;
  }
  const alternatives = built.map(({ segments }) =>
    segments.length === 1 && segments[0]?.length === 0 ? [] : segments,
  );
  return { alternatives };
}

function append({ segments }: Building, part: Part | '*'): Building {
  if (part !== '*') return { segments: [...segments.slice(0, -1), [...(segments.at(-1) as Part[]), part]] };
  // `**` is `*`.
  const isDouble = segments.length > 1 && segments.at(-1)?.length === 0;
  return isDouble ? { segments } : { segments: [...segments, []] };
}

type Token = { part: Part | '*'; end: number } | { problem: string };

function tokenAt(chars: readonly string[], at: number): Token {
  const char = chars[at] as string;
  if (char === '*') return { part: '*', end: at + 1 };
  if (char === '?') return { part: { kind: 'any' }, end: at + 1 };
  if (char === '[') return classAt(chars, at + 1);
  if (char === ']') return { problem: 'unmatched "]": write \\] for a literal bracket' };
  if (char !== '\\') return { part: { kind: 'character', lower: char.toLowerCase() }, end: at + 1 };
  const escaped = chars[at + 1];
  if (escaped === undefined) return { problem: 'trailing "\\": write \\\\ for a literal backslash' };
  return { part: { kind: 'character', lower: escaped.toLowerCase() }, end: at + 2 };
}

/** `a,b}` after the brace: its alternatives, each a list of parts; empty ones are skipped. */
function groupAt(
  chars: readonly string[],
  opening: number,
): { choices: readonly (readonly (Part | '*')[])[]; end: number } | { problem: string } {
  const choices: (Part | '*')[][] = [[]];
  let at = opening + 1;
  while (chars[at] !== '}') {
    if (at >= chars.length) return { problem: 'unclosed "{": write \\{ for a literal brace' };
    if (chars[at] === '{') return { problem: 'alternatives cannot be nested' };
    if (chars[at] === ',') {
      choices.push([]);
      at += 1;
      continue;
    }
    const token = tokenAt(chars, at);
    if ('problem' in token) return token;
    choices.at(-1)?.push(token.part);
    at = token.end;
  }
  const telling = choices.filter((choice) => choice.length > 0);
  return { choices: telling.length === 0 ? [[]] : telling, end: at + 1 };
}

function classAt(chars: readonly string[], from: number): Token {
  let at = from;
  const isNegated = chars[at] === '!';
  if (isNegated) at += 1;
  const first = at;
  const ranges: [string, string][] = [];
  while (chars[at] !== ']') {
    if (at >= chars.length) return { problem: 'unclosed "[": write \\[ for a literal bracket' };
    if (chars[at] === '[')
      return { problem: '"[" inside a character class: write \\[ for a literal bracket' };
    const start = chars[at] === '\\' ? chars[++at] : chars[at];
    if (start === undefined) return { problem: 'trailing "\\": write \\\\ for a literal backslash' };
    at += 1;
    const isRange = chars[at] === '-' && chars[at + 1] !== ']' && chars[at + 1] !== undefined && at > first;
    if (!isRange) {
      ranges.push([start, start]);
      continue;
    }
    at += 1;
    const end = chars[at] === '\\' ? chars[++at] : chars[at];
    if (end === undefined) return { problem: 'trailing "\\": write \\\\ for a literal backslash' };
    if (codeOf(start) > codeOf(end)) return { problem: `the range ${start}-${end} is out of order` };
    ranges.push([start, end]);
    at += 1;
  }
  if (ranges.length === 0) return { problem: 'empty character class "[]"' };
  return { part: { kind: 'class', isNegated, ranges }, end: at + 1 };
}

const codeOf = (char: string): number => char.codePointAt(0) as number;

function matcherOf(segments: Alternative): (lower: string) => boolean {
  if (segments.every(isLiteral)) return matchPieces(segments.map(textOf));
  const longest = longestLiteral(segments);
  return (lower) => lower.includes(longest) && matchSegments(segments, [...lower]);
}

/** What a text has to have somewhere: most have not, and need not be cut into characters. */
function longestLiteral(segments: Alternative): string {
  let longest = '';
  for (const segment of segments) {
    let run = '';
    for (const part of segment) {
      run = part.kind === 'character' ? run + part.lower : '';
      if (run.length > longest.length) longest = run;
    }
  }
  return longest;
}

const isLiteral = (segment: Segment): boolean => segment.every(({ kind }) => kind === 'character');
const textOf = (segment: Segment): string =>
  segment.map((part) => (part.kind === 'character' ? part.lower : '')).join('');

/** The leftmost place of each segment leaves the most room for those after it. */
function matchSegments(segments: Alternative, text: readonly string[]): boolean {
  const [first = []] = segments;
  if (segments.length === 1) return text.length === first.length && matchesAt(first, text, 0);
  const last = segments.at(-1) as Segment;
  const end = text.length - last.length;
  if (end < first.length || !matchesAt(first, text, 0) || !matchesAt(last, text, end)) return false;
  let from = first.length;
  for (const segment of segments.slice(1, -1)) {
    let found = from;
    while (found + segment.length <= end && !matchesAt(segment, text, found)) found += 1;
    if (found + segment.length > end) return false;
    from = found + segment.length;
  }
  return true;
}

function matchesAt(segment: Segment, text: readonly string[], at: number): boolean {
  if (at + segment.length > text.length) return false;
  return segment.every((part, index) => matchesPart(part, text[at + index] as string));
}

function matchesPart(part: Part, char: string): boolean {
  if (part.kind === 'any') return true;
  if (part.kind === 'character') return part.lower === char;
  const upper = char.toUpperCase();
  const isIn = part.ranges.some(
    ([start, end]) => isBetween(char, start, end) || isBetween(upper, start, end),
  );
  return isIn !== part.isNegated;
}

const isBetween = (char: string, start: string, end: string): boolean =>
  codeOf(start) <= codeOf(char) && codeOf(char) <= codeOf(end);
