import { compileLinearPattern, type MatchBudget } from './linear/linear-pattern.ts';
import { matchPieces } from './match-pieces.ts';
import { type GlobToken, parseRuleGlob } from './parse-rule-glob.ts';

export type GlobOptions = {
  /** Backslashes are slashes, `*` and `?` stay within a folder, `**` crosses them. */
  isPath: boolean;
};

/** Whether a text matches as a whole. With `isPath`, the text has slashes only. Without budget left nothing matches. */
export type RuleGlob = (text: string, budget: MatchBudget) => boolean;

export type RuleGlobResult = { glob: RuleGlob; problem: null } | { glob: null; problem: string };

/** Text of one pattern in a rule. */
export const GLOB_CHARS_MAX = 1_024;

/**
 * Compiles a glob as stack trace rules and fingerprint rules use it: `*` any text, `?` one character, `[a-z]` and `[!a-z]` one of a class, `{a,b}` one
 * of several, `\` before any of these to mean the sign itself. Upper and lower case differ. In a path, a leading
 * and an inner `**` stand for any number of folders, and a trailing one for all that a folder holds.
 */
export function compileRuleGlob(pattern: string, { isPath }: GlobOptions): RuleGlobResult {
  if (pattern.length > GLOB_CHARS_MAX) {
    return { glob: null, problem: `A pattern can have at most ${GLOB_CHARS_MAX} characters` };
  }
  const parsed = parseRuleGlob(isPath ? pattern.replaceAll('\\', '/') : pattern);
  if ('problem' in parsed) return { glob: null, problem: parsed.problem };
  const { tokens } = parsed;
  // `**` alone is everything, with a slash or without.
  if (tokens.length === 1 && tokens[0]?.kind === 'folders-before') return { glob: () => true, problem: null };
  const pieces = isPath ? null : piecesOf(tokens);
  const simple = pieces === null ? matchSimplePath(tokens) : matchPieces(pieces);
  if (simple !== null) return { glob: simple, problem: null };
  return compileGeneral(tokens, isPath);
}

/** The texts between the stars of a pattern that has no other signs; null for any other. */
function piecesOf(tokens: readonly GlobToken[]): readonly string[] | null {
  const pieces = [''];
  for (const token of tokens) {
    if (token.kind === 'text') pieces[pieces.length - 1] += token.text;
    else if (token.kind === 'star') pieces.push('');
    else return null;
  }
  return pieces;
}

/** The usual patterns of paths: one literal, perhaps in any folder, perhaps with all that it holds. */
function matchSimplePath(tokens: readonly GlobToken[]): RuleGlob | null {
  const hasFolders = tokens[0]?.kind === 'folders-before';
  const hasContent = tokens.at(-1)?.kind === 'all-within';
  const inner = tokens.slice(hasFolders ? 1 : 0, hasContent ? -1 : undefined);
  if (inner.length !== 1 || inner[0]?.kind !== 'text') return null;
  const { text: name } = inner[0];
  if (!hasFolders && !hasContent) return (text) => text === name;
  if (!hasFolders) return (text) => text.startsWith(name) && text[name.length] === '/';
  const inFolder = `/${name}`;
  if (!hasContent) return (text) => text === name || text.endsWith(inFolder);
  const folder = `${name}/`;
  const innerFolder = `/${folder}`;
  return (text) => text.startsWith(folder) || text.includes(innerFolder);
}

function compileGeneral(tokens: readonly GlobToken[], isPath: boolean): RuleGlobResult {
  const compiled = compileLinearPattern(`^${tokens.map((token) => sourceOf(token, isPath)).join('')}$`);
  if (!compiled.ok) return { glob: null, problem: `This pattern is invalid: ${compiled.problem.message}` };
  const { pattern } = compiled;
  const needed = longestText(tokens);
  return {
    glob: (text, budget) =>
      budget.steps > 0 && text.includes(needed) && (pattern.findAll(text, budget)?.length ?? 0) > 0,
    problem: null,
  };
}

const longestText = (tokens: readonly GlobToken[]): string =>
  tokens.reduce(
    (longest, token) => (token.kind === 'text' && token.text.length > longest.length ? token.text : longest),
    '',
  );

/** The token as a regular expression. */
function sourceOf(token: GlobToken, isPath: boolean): string {
  switch (token.kind) {
    case 'text':
      return [...token.text].map(escapeSign).join('');
    case 'one':
      return isPath ? '[^/]' : '(?s:.)';
    case 'star':
      return isPath ? '[^/]*' : '(?s:.)*';
    case 'folders-before':
      return '(?:/?|(?s:.)*/)';
    case 'folders-between':
      return '(?:/|/(?s:.)*/)';
    case 'all-within':
      return '/(?s:.)*';
    case 'class':
      return `[${token.isNegated ? '^' : ''}${token.ranges
        .map(([start, end]) => `${escapeSign(start)}-${escapeSign(end)}`)
        .join('')}]`;
    case 'choice':
      return `(?:${token.choices
        .map((choice) => choice.map((part) => sourceOf(part, isPath)).join(''))
        .join('|')})`;
  }
}

const escapeSign = (sign: string): string => (/[!-/:-@[-`{-~]/.test(sign) ? `\\${sign}` : sign);

/** The glob of a pattern that was checked before. */
export function compileCheckedGlob(pattern: string, isPath: boolean): RuleGlob {
  const { glob, problem } = compileRuleGlob(pattern, { isPath });
  if (glob === null) throw new Error(`the pattern "${pattern}" is invalid: ${problem}`);
  return glob;
}
