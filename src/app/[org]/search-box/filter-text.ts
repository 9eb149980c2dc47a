import { visibleText } from '#lib/visible-text.ts';
import type { Filter } from './split-search.ts';

/** A filter in words: `level` `is not` `error`. The key is empty where the verb says it. */
export type FilterText = { key: string; verb: string; value: string };

export function filterText({ isNegated, key, operator, value }: Filter): FilterText {
  const isList = value.startsWith('[');
  const shown = isList ? value.slice(1, -1) : value.replace(/^"(.*)"$/s, '$1').replace(/\\(["*\\])/g, '$1');
  const text = { value: shown === '' ? '(empty)' : visibleText(shown) };
  if (key === 'has') return { ...text, key: '', verb: isNegated ? 'does not have' : 'has' };
  const [verb, negated] = VERBS[operator] ?? (key === 'message' ? CONTAINS : isList ? ONE_OF : IS);
  return { ...text, key: key === 'is' ? '' : key, verb: isNegated ? negated : verb };
}

const IS = ['is', 'is not'] as const;
const ONE_OF = ['is one of', 'is none of'] as const;
const CONTAINS = ['contains', 'does not contain'] as const;

const VERBS: Readonly<Record<string, readonly [string, string]>> = {
  '>': ['>', 'not >'],
  '>=': ['≥', 'not ≥'],
  '<': ['<', 'not <'],
  '<=': ['≤', 'not ≤'],
  '=': ['=', '≠'],
  '!=': ['≠', '='],
  '\uF00DContains\uF00D': CONTAINS,
  '\uF00DStartsWith\uF00D': ['starts with', 'does not start with'],
  '\uF00DEndsWith\uF00D': ['ends with', 'does not end with'],
};
