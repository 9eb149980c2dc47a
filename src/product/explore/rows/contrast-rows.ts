import type { Context } from '#product/context.ts';
import type { RowColumn, RowDataset } from '#storage/ports/explore-rows.ts';
import type { RowQuestion } from './explored-rows.ts';
import { openRows } from './open-rows.ts';
import { readRowSearch } from './read-row-search.ts';
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
const DIFFERENCE_MIN = 0.05;
const VALUES_MAX = 12;

/** Which values are more frequent among the rows that the search `selected` finds too than among all. Throws as `groupRows`. */
export async function contrastRows(
  ctx: Context,
  question: RowQuestion & { dataset: RowDataset },
  selected: string,
): Promise<Contrast> {
  const { dataset } = question;
  const { scope, asked, projects } = await openRows(ctx, question);
  if (asked.dataset === 'errors') throw new Error('Errors have no columns to compare');
  const found = await ctx.stores.rowExplore.contrast(scope, asked, {
    selected: readRowSearch(dataset, selected, { projects, nowMs: ctx.now() }),
    columns: COLUMNS[dataset],
    selectedMin: SELECTED_MIN,
    max: VALUES_MAX,
  });
  return {
    ...found,
    values: found.values
      .filter((each) => each.selected / found.selected - each.rows / found.rows >= DIFFERENCE_MIN)
      .map(({ field, ...each }) => ({
        ...each,
        name: field.kind === 'row' ? columnName(dataset, field.name) : field.name,
      })),
  };
}
