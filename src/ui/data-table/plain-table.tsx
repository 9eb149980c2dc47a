import type { ComponentProps, ReactNode } from 'react';
import { cx } from '../cx.ts';
import { Table, Td, Th, Tr } from '../table.tsx';

export type DataTableProps = {
  label: string;
  columns: readonly DataColumn[];
  rows: readonly DataRow[];
};

/** All rows at once. */
export function PlainTable({ label, columns, rows }: DataTableProps) {
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

export type DataColumn = {
  /** Each of its own. */
  heading: string;
  align?: 'left' | 'right';
  /** Of the heading and of every cell. */
  className?: string;
};

/** `cells` in the order of the columns. */
export type DataRow = { key: string; cells: readonly ReactNode[] };

export function PlainRow({
  columns,
  row,
  ...props
}: { columns: readonly DataColumn[]; row: DataRow } & ComponentProps<'tr'>) {
  return (
    <Tr {...props}>
      {columns.map((column, index) => (
        <Td key={column.heading} align={column.align} className={cx('align-top', column.className)}>
          {row.cells[index]}
        </Td>
      ))}
    </Tr>
  );
}
