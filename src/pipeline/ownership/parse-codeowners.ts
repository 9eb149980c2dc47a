import type { OwnerReference } from '#protocol/ownership.ts';
import { compileCodeownersPattern } from '../patterns/codeowners-pattern.ts';
import {
  isEmailLike,
  OWNERS_PER_RULE_MAX,
  OWNERSHIP_RULES_MAX,
  type OwnershipProblem,
  type OwnershipRule,
  type ParsedOwnership,
} from './parse-ownership-rules.ts';

/**
 * Reads a CODEOWNERS file of GitHub or GitLab: `pattern @user @organization/team mail@example.com`, a space in a pattern
 * as `\ `. Of GitLab's sections only the rules in them count.
 * Source: https://docs.github.com/en/repositories/managing-your-repositorys-settings-and-features/customizing-your-repository/about-code-owners
 */
export function parseCodeowners(text: string): ParsedOwnership {
  const rules: OwnershipRule[] = [];
  const problems: OwnershipProblem[] = [];
  for (const [index, written] of text.split(/\r\n|\r|\n/).entries()) {
    const line = index + 1;
    const words = splitLine(written);
    const [first, ...rest] = words;
    if (!first || first.text.startsWith('#') || isSection(first.text)) continue;
    if (rules.length >= OWNERSHIP_RULES_MAX) {
      problems.push({ line, column: 1, message: `At most ${OWNERSHIP_RULES_MAX} rules are allowed` });
      break;
    }
    const { problem } = compileCodeownersPattern(first.text);
    if (problem !== null) {
      problems.push({ line, column: first.column, message: `The pattern is invalid: ${problem}` });
      continue;
    }
    const owners = readOwners(rest);
    if ('message' in owners) problems.push({ line, ...owners });
    else {
      rules.push({
        source: 'codeowners',
        line,
        text: written.trim(),
        type: 'codeowners',
        pattern: first.text,
        owners: owners.list,
      });
    }
  }
  return { rules, problems };
}

type Word = { text: string; column: number };

/** Words between spaces; a backslash keeps the space behind it. */
function splitLine(line: string): readonly Word[] {
  const words: Word[] = [];
  let word: Word | null = null;
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] as string;
    if (character === ' ' || character === '\t') {
      word = null;
      continue;
    }
    if (word === null) {
      word = { text: '', column: at + 1 };
      words.push(word);
    }
    if (character === '\\' && line[at + 1] === ' ') {
      word.text += ' ';
      at += 1;
    } else word.text += character;
  }
  return words;
}

/** `[Section]`, `^[Optional section][2]`. */
const isSection = (text: string): boolean => /^\^?\[/.test(text);

function readOwners(
  words: readonly Word[],
): { list: readonly OwnerReference[] } | { column: number; message: string } {
  const list: OwnerReference[] = [];
  for (const { text, column } of words) {
    if (text.startsWith('#')) break;
    const owner = readOwner(text);
    if (owner === null) {
      return {
        column,
        message: `"${text.slice(0, 80)}" is not a valid owner: use @user, @organization/team, or an email address`,
      };
    }
    if (list.length >= OWNERS_PER_RULE_MAX) {
      return { column, message: `A rule can have at most ${OWNERS_PER_RULE_MAX} owners` };
    }
    list.push(owner);
  }
  return { list };
}

function readOwner(word: string): OwnerReference | null {
  if (!word.startsWith('@')) return isEmailLike(word) ? { kind: 'email', email: word.toLowerCase() } : null;
  const name = word.replace(/^@{1,2}/, '').toLowerCase();
  if (name === '' || name.includes('@')) return null;
  // The last part names the team, whatever groups it is nested in.
  const slash = name.lastIndexOf('/');
  if (slash < 0) return { kind: 'handle', handle: name };
  return slash === name.length - 1 ? null : { kind: 'team', slug: name.slice(slash + 1) };
}
