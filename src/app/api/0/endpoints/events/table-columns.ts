import { isoOfMs, isoOfUs } from '#app/api/0/shapes/moments.ts';
import type { ListedRow } from '#product/explore/rows/explored-rows.ts';
import type { NumberType } from '#product/explore/rows/function-types.ts';
import { type ExploreDataset, isRowDataset } from '#product/explore/rows/row-fields.ts';
import type { RowFunction } from '#product/explore/rows/row-functions.ts';
import { rowKeyNamed } from '#product/explore/rows/row-keys.ts';
import type { EventsDataset } from './events-dataset.ts';

export type Cell = string | number | boolean | null;

/** What a column holds, in the words of Sentry. */
export type ColumnType = 'string' | 'boolean' | NumberType;
export type ColumnMeta = { type: ColumnType; unit: string | null };

/** A column of rows that are grouped, or listed with one text per field. */
export type Column = ColumnMeta & {
  name: string;
  /** The field of the store that it is read from. */
  field: string;
  read(text: string): Cell;
};

/** A field of a dataset under the name that was requested. `idOf` gives the number of a project by its slug. */
export function columnNamed(
  dataset: EventsDataset,
  name: string,
  idOf: (slug: string) => number | null = () => null,
): Column {
  if (name === 'project.id')
    return { name, field: 'project', type: 'integer', unit: null, read: (slug) => idOf(slug) };
  const rows: ExploreDataset = dataset === 'transactions' ? 'spans' : dataset;
  if (!isRowDataset(rows)) {
    if (name === 'user.display') {
      // Told apart as `id:7`, of which people want to see the name.
      const read = (text: string) => text.slice(text.indexOf(':') + 1) || null;
      return { name, field: 'user', type: 'string', unit: null, read };
    }
    const field = name === 'project.name' ? 'project' : name;
    return { name, field, type: 'string', unit: null, read: textOrNull };
  }
  const field = fieldOf(dataset, name);
  const key = rowKeyNamed(rows, field);
  if (key.kind === 'field' && key.type === 'flag') {
    return { name, field, type: 'boolean', unit: null, read: (text) => text === 'true' || text === '1' };
  }
  if (key.kind === 'field' && key.type === 'number') {
    const type = key.isDuration ? 'duration' : 'number';
    return { name, field, ...metaOf(type), read: (text) => (text === '' ? null : Number(text)) };
  }
  return { name, field, type: 'string', unit: null, read: textOrNull };
}

const textOrNull = (text: string): Cell => text || null;

/** The id of a transaction is that of its event. */
function fieldOf(dataset: EventsDataset, name: string): string {
  if (dataset === 'transactions' && name === 'id') return 'transaction.id';
  return dataset === 'spans' && name === 'sentry.item_id' ? 'id' : name;
}

const metaOf = (type: ColumnType): ColumnMeta => ({ type, unit: type === 'duration' ? 'millisecond' : null });

/** What every row has, whatever its columns. */
export const OF_EVERY_ROW: Readonly<
  Record<string, { type: ColumnType; read(row: Pick<ListedRow, 'occurredAtUs'>): Cell }>
> = {
  timestamp: { type: 'date', read: ({ occurredAtUs }) => isoOfUs(occurredAtUs) },
  // Nanoseconds, as Sentry has them: more than a number of JSON can say exactly.
  timestamp_precise: { type: 'integer', read: ({ occurredAtUs }) => occurredAtUs * 1_000 },
};

export const isOfEveryRow = (name: string): boolean => Object.hasOwn(OF_EVERY_ROW, name);

/** What a function holds. A rate is per minute or per second. */
export function functionMeta({ name, type }: RowFunction): ColumnMeta {
  if (type === 'rate') return { type, unit: /^[ets]ps\(|^per_second\(/.test(name) ? '1/second' : '1/minute' };
  return metaOf(type);
}

export const functionCell = ({ type }: RowFunction, value: number | null): Cell =>
  value !== null && type === 'date' ? isoOfMs(value) : value;

/** The types and units of columns, by name. */
export const describeColumns = (columns: readonly (ColumnMeta & { name: string })[]) => ({
  fields: Object.fromEntries(columns.map(({ name, type }) => [name, type])),
  units: Object.fromEntries(columns.map(({ name, unit }) => [name, unit])),
});
