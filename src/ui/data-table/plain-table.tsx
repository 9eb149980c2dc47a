import { Table, Th } from '../table.tsx';
import { type DataColumn, type DataRow, PlainRow } from './data-row.tsx';

/** All rows at once. */
export function PlainTable({
  label,
  columns,
  rows,
}: {
  label: string;
  columns: readonly DataColumn[];
  rows: readonly DataRow[];
}) {
  return (
    <Table label={label}>
      <DataHead columns={columns} />
      <tbody>
        {rows.map((row) => (
          <PlainRow key={row.key} columns={columns} row={row} />
        ))}
      </tbody>
    </Table>
  );
}

export function DataHead({ columns, className }: { columns: readonly DataColumn[]; className?: string }) {
  return (
    <thead className={className}>
      <tr>
        {columns.map((column) => (
          <Th key={column.heading} align={column.align} className={column.className}>
            {column.heading}
          </Th>
        ))}
      </tr>
    </thead>
  );
}
