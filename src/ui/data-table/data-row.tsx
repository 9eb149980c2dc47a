import type { ComponentProps, ReactNode } from 'react';
import { cx } from '../cx.ts';
import { Td, Tr } from '../table.tsx';

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
