import type { Project } from '#domain/projects.ts';
import { ownValue } from '#lib/own-value.ts';
import { buildTree, type SearchTree } from '#product/search/combine.ts';
import { readMoments, readNumbers } from '#product/search/read-numbers.ts';
import { filterProblem, nameOf, unknownValue } from '#product/search/search-problem.ts';
import { parseSearch } from '#product/search/syntax/parse-search.ts';
import type { FilterToken } from '#product/search/syntax/search-tokens.ts';
import { readMatches, readTexts, unescapeText } from '#product/search/text-match.ts';
import { looksPasted, readWords } from '#product/search/words.ts';
import type { RowCondition, RowDataset, RowExpression, RowField } from '#storage/ports/explore-rows.ts';
import type { Comparison } from '#storage/ports/search.ts';
import { type RowKey, rowKeyNamed, searchKeysOf } from './row-keys.ts';

/** What a search asks of each row of a dataset. Throws Invalid, naming the character (the first is 1). */
export function readRowSearch(
  dataset: RowDataset,
  query: string,
  { projects, nowMs }: { projects: readonly Project[]; nowMs: number },
): RowExpression {
  return resolve(buildTree(parseSearch(query, searchKeysOf(dataset))));

  function resolve(tree: SearchTree): RowExpression {
    if (tree.kind === 'text') {
      return { kind: 'and', parts: readWords(tree).map((word) => ({ kind: 'words', ...word })) };
    }
    if (tree.kind === 'filter') return filterOf(tree);
    return { kind: tree.kind, parts: tree.parts.map(resolve) };
  }

  function filterOf(filter: FilterToken): RowExpression {
    if (filter.key.kind === 'aggregate') {
      throw filterProblem(filter, 'filters groups, not rows: sort by it instead');
    }
    if (looksPasted(filter)) {
      const pasted = query.slice(filter.start, filter.end);
      return { kind: 'words', match: { kind: 'pattern', parts: ['', pasted, ''] }, isNegated: false };
    }
    if (filter.form === 'has') return present(filter);
    const key = keyOf(dataset, filter);
    if (key.kind === 'project') return ofProjects(filter);
    if (key.kind === 'moment') {
      const bounds =
        filter.value.kind === 'number'
          ? readNumbers(filter).map(({ comparison, value }) => ({ comparison, atMs: value / NANOSECONDS_MS }))
          : readMoments(filter, nowMs);
      return { kind: 'and', parts: bounds.map((bound) => ({ kind: 'moment', ...bound })) };
    }
    return ofField(filter, key);
  }

  function present(filter: FilterToken): RowExpression {
    const parts = readTexts(filter).map(({ text }): RowExpression => {
      const key = rowKeyNamed(dataset, unescapeText(text));
      if (key.kind === 'field') return { kind: 'present', field: key.field, isNegated: filter.isNegated };
      return { kind: filter.isNegated ? 'or' : 'and', parts: [] };
    });
    return { kind: filter.isNegated ? 'and' : 'or', parts };
  }

  function ofProjects(filter: FilterToken): RowCondition {
    const projectIds = readTexts(filter).map((value) => {
      const slug = unescapeText(value.text);
      const project = projects.find((each) => each.slug === slug || String(each.id) === slug);
      if (!project)
        throw unknownValue(
          filter,
          value,
          'projects by slug',
          projects.map((each) => each.slug),
        );
      return project.id;
    });
    return { kind: 'projects', projectIds, isNegated: filter.isNegated };
  }
}

/** Nanoseconds of a millisecond. */
const NANOSECONDS_MS = 1_000_000;

const keyOf = (dataset: RowDataset, { key }: FilterToken): RowKey =>
  rowKeyNamed(
    dataset,
    key.kind === 'tag' ? `tags[${key.name}${key.type ? `,${key.type}` : ''}]` : nameOf(key),
  );

function ofField(filter: FilterToken, key: Extract<RowKey, { kind: 'field' }>): RowExpression {
  const { field } = key;
  if (key.type === 'flag') return ofFlag(filter, field);
  if (key.type === 'number' || filter.value.kind === 'number' || filter.value.kind === 'numbers') {
    return ofNumbers(filter, field, key.isDuration);
  }
  const comparison = COMPARISONS.find((each) => each === filter.operator);
  if (comparison && filter.value.kind === 'text') {
    const value = numberIn(filter.value.text);
    if (value === null) throw filterProblem(filter, 'needs a number after the sign, for example >100');
    return { kind: 'number', field, comparison: negatedIf(filter.isNegated, comparison), value };
  }
  if (filter.problem !== null) throw filterProblem(filter, filter.problem);
  return { kind: 'text', field, matches: readMatches(filter), isNegated: filter.isNegated };
}

/** `>500ms`, `1.5s`, and a bare number of milliseconds where the field is a duration. */
function ofNumbers(filter: FilterToken, field: RowField, isDuration: boolean): RowExpression {
  const { value } = filter;
  if (isDuration && (value.kind === 'duration' || value.kind === 'text')) {
    const ms =
      value.kind === 'text'
        ? numberIn(value.text)
        : Number(value.amount) * (ownValue(UNIT_MS, value.unit) ?? 1);
    if (ms === null) throw filterProblem(filter, 'needs a duration, for example >500ms or <2s');
    const comparison = COMPARISONS.find((each) => each === filter.operator) ?? '=';
    return { kind: 'number', field, comparison: negatedIf(filter.isNegated, comparison), value: ms };
  }
  const tests = readNumbers(filter);
  return {
    kind: filter.isNegated ? 'and' : 'or',
    parts: tests.map((test) => ({ kind: 'number', field, ...test })),
  };
}

function ofFlag(filter: FilterToken, field: RowField): RowCondition {
  if (filter.value.kind !== 'boolean') throw filterProblem(filter, filter.problem ?? 'needs true or false');
  const text = /^(?:true|1)$/i.test(filter.value.text) ? 'true' : 'false';
  return { kind: 'text', field, matches: [{ kind: 'exact', text }], isNegated: filter.isNegated };
}

const COMPARISONS: readonly Comparison[] = ['=', '!=', '<', '<=', '>', '>='];
const NEGATED: Readonly<Record<Comparison, Comparison>> = {
  '=': '!=',
  '!=': '=',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
};
const negatedIf = (isNegated: boolean, comparison: Comparison): Comparison =>
  isNegated ? NEGATED[comparison] : comparison;

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  min: 60_000,
  m: 60_000,
  hr: 3_600_000,
  h: 3_600_000,
  day: 86_400_000,
  d: 86_400_000,
  wk: 604_800_000,
  w: 604_800_000,
};

/** null for what is no number. */
function numberIn(text: string): number | null {
  const trimmed = text.trim();
  return /^-?\d+(?:\.\d+)?$/.test(trimmed) ? Number(trimmed) : null;
}
