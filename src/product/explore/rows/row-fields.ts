import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import { eventScope, selectProjects } from '#product/visible-projects.ts';
import {
  type AskedField,
  ROW_DATASETS,
  type RowAttribute,
  type RowDataset,
} from '#storage/ports/explore-rows.ts';
import { ERROR_FIELDS, readErrorField } from '../explore-fields.ts';
import { columnNames, rowKeyNamed } from './row-keys.ts';

export type ExploreDataset = 'errors' | RowDataset;

export const isRowDataset = (dataset: ExploreDataset): dataset is RowDataset =>
  ROW_DATASETS.includes(dataset as RowDataset);

const NAME_CHARACTERS_MAX = 200;

/** A field that rows are shown with, or grouped by. Throws Invalid. */
export function readRowField(dataset: ExploreDataset, name: string): AskedField {
  if (name.length > NAME_CHARACTERS_MAX) {
    throw invalid(`A field name can have at most ${NAME_CHARACTERS_MAX} characters`, 'field');
  }
  if (!isRowDataset(dataset)) return readErrorField(name);
  const key = rowKeyNamed(dataset, name);
  if (key.kind === 'project') return { kind: 'project' };
  if (key.kind === 'field') return key.field;
  throw invalid(`Rows cannot be grouped by ${name}: choose another field`, 'field');
}

/** Names of attributes that one list has. */
const ATTRIBUTES_MAX = 500;

/** Columns first, then the attributes of the newest rows, of errors their tags, each with what it holds. */
export async function listRowFields(
  ctx: Context,
  input: { dataset: ExploreDataset; projectSlugs: readonly string[]; range: Range },
): Promise<readonly (RowAttribute & { isColumn: boolean })[]> {
  requireRight(ctx, 'event:read');
  checkRange(input.range);
  const projects = await selectProjects(ctx, input.projectSlugs);
  const scope = eventScope(ctx, projects);
  const { dataset, range } = input;
  if (!isRowDataset(dataset)) {
    const tags = await ctx.stores.events.listTagKeys(scope, range, ATTRIBUTES_MAX);
    const names = [...new Set([...ERROR_FIELDS, ...tags])];
    return names.map((name) => ({ name, type: 'text', isColumn: ERROR_FIELDS.includes(name) }));
  }
  const attributes = await ctx.stores.rowExplore.listAttributes(scope, dataset, range, ATTRIBUTES_MAX);
  const columns = columnNames(dataset).map((name) => {
    const key = rowKeyNamed(dataset, name);
    return { name, type: (key.kind === 'field' ? key.type : null) ?? 'text', isColumn: true } as const;
  });
  const isColumn: ReadonlySet<string> = new Set(columns.map(({ name }) => name));
  return [
    ...columns,
    ...attributes.filter(({ name }) => !isColumn.has(name)).map((each) => ({ ...each, isColumn: false })),
  ];
}

/** Values that one list has. */
const VALUES_MAX = 50;

/** Values of a field of the newest rows which contain the text, the most frequent first. */
export async function listRowValues(
  ctx: Context,
  input: {
    dataset: RowDataset;
    projectSlugs: readonly string[];
    range: Range;
    field: string;
    part: string;
  },
): Promise<readonly { value: string; count: number }[]> {
  requireRight(ctx, 'event:read');
  checkRange(input.range);
  const projects = await selectProjects(ctx, input.projectSlugs);
  const key = rowKeyNamed(input.dataset, input.field);
  if (key.kind === 'project') {
    return projects
      .filter(({ slug }) => slug.includes(input.part))
      .map(({ slug }) => ({ value: slug, count: 0 }));
  }
  if (key.kind !== 'field') return [];
  const { dataset, range, part } = input;
  const scope = eventScope(ctx, projects);
  return await ctx.stores.rowExplore.listValues(scope, dataset, range, key.field, part, VALUES_MAX);
}
