import type { Context } from '#product/context.ts';
import { eventKeyNamed } from '#product/search/event-fields.ts';
import type {
  AskedField,
  ContrastedValue,
  ExploredField,
  RowColumn,
  RowDataset,
} from '#storage/ports/explore-rows.ts';
import type { RowQuestion } from './explored-rows.ts';
import { openRows } from './open-rows.ts';
import { readRowSearch } from './read-row-search.ts';
import type { ExploreDataset } from './row-fields.ts';
import { columnName } from './row-keys.ts';

export type Contrast = {
  /** Rows that were compared: the newest. */
  rows: number;
  /** How many of them were selected. */
  selected: number;
  /** A field with a value: how many rows have it, and how many of the selected. The largest difference of shares first. */
  values: readonly { name: string; value: string; rows: number; selected: number }[];
};

/** What a value is compared by; columns that all rows differ in say nothing. */
const COLUMNS: { readonly [Dataset in RowDataset]: readonly RowColumn[] } = {
  spans: ['release', 'environment', 'status', 'user', 'platform', 'sdk'],
  logs: ['release', 'environment', 'level', 'sdk'],
  metrics: ['release', 'environment', 'name'],
};
/** Fewer rows with a value are a coincidence. */
const SELECTED_MIN = 3;
/** Shares that differ by less do not matter. */
export const SHARES_DIFFER_MIN = 0.05;
const VALUES_MAX = 12;

/** Which values are more frequent among the rows that the search `selected` finds too than among all. Throws as `groupRows`. */
export async function contrastRows(
  ctx: Context,
  question: RowQuestion & { dataset: RowDataset },
  selected: string,
): Promise<Contrast> {
  const { dataset } = question;
  const { scope, asked, projects } = await openRows(ctx, question);
  const found = await ctx.stores.rowExplore.contrast(scope, asked, {
    selected: { kind: 'rows', expression: readRowSearch(dataset, selected, { projects, nowMs: ctx.now() }) },
    fields: COLUMNS[dataset].map((name) => ({ kind: 'row', name })),
    oneOf: null,
    selectedMin: SELECTED_MIN,
    max: VALUES_MAX,
  });
  return {
    ...found,
    values: found.values
      .filter((each) => each.selected / found.selected - each.rows / found.rows >= SHARES_DIFFER_MIN)
      .map((each) => named(dataset, each)),
  };
}

const named = (dataset: ExploreDataset, { field, ...each }: ContrastedValue) => ({
  ...each,
  name: contrastedName(dataset, field),
});

/** A field as a search spells it. */
export function contrastedName(dataset: ExploreDataset, field: AskedField): string {
  if (field.kind === 'project') return 'project';
  if (field.kind === 'row') return dataset === 'errors' ? field.name : columnName(dataset, field.name);
  if (field.kind === 'rowAttribute') return field.name;
  return eventFieldName(field);
}

/** A field of errors as a search spells it: `release`, and `tags[level]` for a tag whose name means something else. */
function eventFieldName(field: ExploredField): string {
  if (field.kind === 'grouping') return 'issue';
  if (field.kind === 'user' || field.kind === 'project') return field.kind;
  if (field.kind !== 'tag') return field.name;
  const known = eventKeyNamed(field.key);
  return known.kind === 'text' && known.field.kind === 'tag' ? field.key : `tags[${field.key}]`;
}
