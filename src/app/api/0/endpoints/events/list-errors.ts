import { type PlainField, readPlainField } from '#app/api/0/endpoints/events/error-field.ts';
import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { listRows } from '#product/explore/rows/explored-rows.ts';
import type { TableQuestion } from './events-question.ts';
import type { PageRequest, TablePage } from './list-rows.ts';
import { describeColumns } from './table-columns.ts';

/** Errors are listed by time. Throws Invalid for any other order, and for what cannot be shown. */
export function readErrorRows(
  names: readonly string[],
  sort: string | null,
): { fields: readonly PlainField[]; order: 'timestamp' | '-timestamp' } {
  if (sort && sort !== '-timestamp' && sort !== 'timestamp') {
    throw invalid('Sort events by timestamp or -timestamp (newest first)', 'sort');
  }
  return { fields: names.map(readPlainField), order: sort === 'timestamp' ? sort : '-timestamp' };
}

/** One page of errors with the requested fields. Throws Invalid and NotFound. */
export async function listErrors(
  ctx: Context,
  question: TableQuestion,
  { names, sort, limit, cursor }: PageRequest,
): Promise<TablePage> {
  const { fields, order } = readErrorRows(names, sort);
  const columns = [...new Set(fields.flatMap((field) => field.columns))];
  const { rows, nextCursor } = await listRows(
    ctx,
    { ...question, dataset: 'errors' },
    { fields: columns, sort: order, limit, cursor },
  );
  return {
    rows: rows.map((row) => {
      const cellOf = new Map(columns.map((column, index) => [column, row.values[index] ?? '']));
      return Object.fromEntries(
        fields.map((field) => [
          field.name,
          field.read(
            row,
            field.columns.map((column) => cellOf.get(column) ?? ''),
          ),
        ]),
      );
    }),
    ...describeColumns(fields.map(({ name, type }) => ({ name, type, unit: null }))),
    nextCursor,
  };
}
