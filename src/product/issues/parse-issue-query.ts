import { invalid } from '#lib/errors.ts';
import type { Actor } from '#product/context.ts';
import { LEVELS, type Level } from '#protocol/event.ts';
import type { IssueFilter, IssueStatus, IssueSubstatus } from '#storage/ports/issues.ts';

export const QUERY_CHARACTERS_MAX = 1_000;
export const QUERY_TERMS_MAX = 50;

export const QUERY_KEYS = ['is', 'level', 'assigned', 'release', 'type', 'error.type'] as const;

/**
 * Reads what a search box says: `is:unresolved level:[error, fatal] !assigned:none "a phrase" word`.
 * Terms of different keys must all hold; values of one key are alternatives; every word must occur.
 * Pure: in `assignees` an e-mail address stays as written, for `resolveAssignees` to find its user.
 * Throws Invalid, naming the character (the first is 1).
 */
export function parseIssueQuery(text: string, actor: Actor): IssueFilter {
  if (text.length > QUERY_CHARACTERS_MAX) {
    throw invalid(`The search has more than ${QUERY_CHARACTERS_MAX} characters: shorten it`, 'query');
  }
  const filter = emptyFilter();
  const terms = readTerms(text);
  if (terms.length > QUERY_TERMS_MAX) {
    throw invalid(
      `The search has more than ${QUERY_TERMS_MAX} terms, from character ${terms[QUERY_TERMS_MAX]?.position}: use fewer`,
      'query',
    );
  }
  for (const term of terms) addTerm(filter, term, actor);
  return filter;
}

type Draft<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer Item)[] ? Item[] : T[K] };
type FilterDraft = Omit<Draft<IssueFilter>, 'negated'> & { negated: Draft<IssueFilter['negated']> };

/** A word or phrase has no key. `position` counts from 1. */
type Term = { negated: boolean; key: string | null; values: readonly Value[]; position: number };
type Value = { text: string; position: number };

const emptyFilter = (): FilterDraft => ({
  statuses: [],
  substatuses: [],
  levels: [],
  assignees: [],
  text: [],
  releases: [],
  types: [],
  negated: { levels: [], statuses: [], substatuses: [], assignees: [], text: [] },
  seen: null,
});

function readTerms(text: string): readonly Term[] {
  const terms: Term[] = [];
  let at = 0;
  while (at < text.length) {
    if (isSpace(text[at])) {
      at += 1;
      continue;
    }
    const start = at;
    const negated = text[at] === '!' && at + 1 < text.length && !isSpace(text[at + 1]);
    if (negated) at += 1;
    const key = readKey(text, at);
    if (key !== null) at += key.length + 1;
    const read = key !== null && text[at] === '[' ? readList(text, at) : readValue(text, at, /[^\s]/);
    terms.push({ negated, key, values: read.values, position: start + 1 });
    at = read.end;
  }
  return terms;
}

const isSpace = (character: string | undefined) => character !== undefined && /\s/.test(character);

/**
 * The key that begins here, without its colon; null when this is text. What people paste is text: an address
 * (`https://…`), a scope (`Foo::bar`), a path (`C:\x`), the head of a message (`TypeError: x`).
 */
function readKey(text: string, at: number): string | null {
  const key = /^([A-Za-z][\w.-]*):/.exec(text.slice(at))?.[1];
  if (key === undefined) return null;
  if (isKnownKey(key)) return key;
  const next = text[at + key.length + 1];
  return next === undefined || /[\s:/\\]/.test(next) ? null : key;
}

type Key = (typeof QUERY_KEYS)[number];
const isKnownKey = (key: string): key is Key => (QUERY_KEYS as readonly string[]).includes(key.toLowerCase());

/** One value, bare (while characters match) or in quotes; inside quotes `\"` is a quote and `\\` a backslash. */
function readValue(text: string, at: number, bare: RegExp): { values: readonly Value[]; end: number } {
  let end = at;
  if (text[at] !== '"') {
    while (end < text.length && bare.test(text[end] ?? '')) end += 1;
    return { values: [{ text: text.slice(at, end), position: at + 1 }], end };
  }
  let value = '';
  for (end = at + 1; end < text.length && text[end] !== '"'; end += 1) {
    if (text[end] === '\\' && /["\\]/.test(text[end + 1] ?? '')) end += 1;
    value += text[end];
  }
  if (end >= text.length) {
    throw invalid(`The quote at character ${at + 1} is not closed: add " at its end`, 'query');
  }
  return { values: [{ text: value, position: at + 1 }], end: end + 1 };
}

/** `[a, "b c"]`: alternatives. */
function readList(text: string, at: number): { values: readonly Value[]; end: number } {
  const values: Value[] = [];
  let end = at + 1;
  while (end < text.length && text[end] !== ']') {
    if (isSpace(text[end]) || text[end] === ',') {
      end += 1;
      continue;
    }
    const item = readValue(text, end, /[^\s,\]]/);
    values.push(...item.values);
    end = item.end;
  }
  if (end >= text.length) {
    throw invalid(`The list at character ${at + 1} is not closed: add ] at its end`, 'query');
  }
  return { values, end: end + 1 };
}

function addTerm(filter: FilterDraft, term: Term, actor: Actor): void {
  if (term.key === null) {
    addText(filter, term);
    return;
  }
  const key = term.key.toLowerCase();
  if (!isKnownKey(key)) {
    throw invalid(
      `Unknown search key "${term.key}:" at character ${term.position}. Known keys: ${QUERY_KEYS.join(', ')}. To search for the text, put it in quotes`,
      'query',
    );
  }
  if (term.values.length === 0 || term.values.some((value) => value.text === '')) {
    throw invalid(`"${key}:" at character ${term.position} needs a value${EXAMPLES[key]}`, 'query');
  }
  if (term.negated && (key === 'release' || key === 'type' || key === 'error.type')) {
    throw invalid(
      `"!${key}:" at character ${term.position} is not possible: only is, level, assigned and text can be negated`,
      'query',
    );
  }
  for (const value of term.values) ADD[key](filter, value, term.negated, actor);
}

function addText(filter: FilterDraft, term: Term): void {
  const text = term.values[0]?.text ?? '';
  if (text.trim() === '') {
    throw invalid(`The quotes at character ${term.position} are empty: write what to search for`, 'query');
  }
  (term.negated ? filter.negated.text : filter.text).push(text);
}

const EXAMPLES: Readonly<Record<Key, string>> = {
  is: ', for example is:unresolved',
  level: ', for example level:error',
  assigned: ', for example assigned:me',
  release: ', for example release:web@1.2.0',
  type: ', for example type:TypeError',
  'error.type': ', for example error.type:TypeError',
};

type AddValue = (filter: FilterDraft, value: Value, negated: boolean, actor: Actor) => void;

const ADD: Readonly<Record<Key, AddValue>> = {
  is: addIs,
  level: addLevel,
  assigned: addAssigned,
  release: (filter, value) => addOnce(filter.releases, value.text),
  type: (filter, value) => addOnce(filter.types, value.text),
  'error.type': (filter, value) => addOnce(filter.types, value.text),
};

/** What each `is:` asks of an issue. */
const IS: Readonly<Record<string, IsTerm>> = {
  unresolved: { statuses: ['unresolved'] },
  resolved: { statuses: ['resolved'] },
  archived: { statuses: ['archived'] },
  ignored: { statuses: ['archived'] },
  new: { substatuses: ['new'] },
  ongoing: { substatuses: ['ongoing'] },
  escalating: { substatuses: ['escalating'] },
  regressed: { substatuses: ['regressed'] },
  for_review: { substatuses: ['new', 'escalating', 'regressed'] },
  assigned: { isAssigned: true },
  unassigned: { isAssigned: false },
};

type IsTerm = {
  statuses?: readonly IssueStatus[];
  substatuses?: readonly IssueSubstatus[];
  isAssigned?: boolean;
};

function addIs(filter: FilterDraft, value: Value, negated: boolean): void {
  const name = value.text.toLowerCase();
  const term = Object.hasOwn(IS, name) ? IS[name] : undefined;
  if (!term) throw badValue('is', value, Object.keys(IS));
  const target = negated ? filter.negated : filter;
  addOnce(target.statuses, ...(term.statuses ?? []));
  addOnce(target.substatuses, ...(term.substatuses ?? []));
  if (term.isAssigned === undefined) return;
  addOnce(term.isAssigned === negated ? filter.assignees : filter.negated.assignees, 'none');
}

function addLevel(filter: FilterDraft, value: Value, negated: boolean): void {
  const level = LEVELS.find((candidate): candidate is Level => candidate === value.text.toLowerCase());
  if (!level) throw badValue('level', value, LEVELS);
  addOnce(negated ? filter.negated.levels : filter.levels, level);
}

function addAssigned(filter: FilterDraft, value: Value, negated: boolean, actor: Actor): void {
  addOnce(negated ? filter.negated.assignees : filter.assignees, readAssignee(value, actor));
}

function readAssignee(value: Value, actor: Actor): string {
  const name = value.text.toLowerCase();
  if (name === 'none') return 'none';
  if (name === 'me') {
    if (actor.kind !== 'system') return actor.userId;
    throw invalid(
      `"assigned:me" at character ${value.position} needs somebody signed in: write an e-mail address`,
      'query',
    );
  }
  if (/^[^@\s]+@[^@\s]+$/.test(name)) return name;
  throw badValue('assigned', value, ['me', 'none', "a member's e-mail address"]);
}

const badValue = (key: string, value: Value, allowed: readonly string[]) =>
  invalid(
    `"${key}:" does not know "${value.text}" at character ${value.position}. Possible: ${allowed.join(', ')}`,
    'query',
  );

function addOnce<Item>(list: Item[], ...items: readonly Item[]): void {
  for (const item of items) if (!list.includes(item)) list.push(item);
}
