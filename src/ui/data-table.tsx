import { LongTable } from './data-table/long-table.tsx';
import { type DataTableProps, PlainTable } from './data-table/plain-table.tsx';

export type { DataColumn, DataRow } from './data-table/plain-table.tsx';

/** Longer tables render only the rows in view. */
const PLAIN_ROWS_MAX = 100;

/** A table that virtualizes long lists. `label` names it for assistive technology. */
export function DataTable(props: DataTableProps) {
  return props.rows.length > PLAIN_ROWS_MAX ? <LongTable {...props} /> : <PlainTable {...props} />;
}
