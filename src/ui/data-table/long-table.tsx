'use client';

import { onDemand, useOnDemand } from '../on-demand/on-demand.ts';
import { type DataTableProps, PlainTable } from './plain-table.tsx';

const virtualTable = onDemand(() => import('./virtual-table.tsx'));
const ROWS_FIRST = 50;

/** The beginning of a long table, until the code that scrolls through all of it is there. */
export function LongTable(props: DataTableProps) {
  const virtual = useOnDemand(virtualTable, true);
  if (virtual) return <virtual.VirtualTable {...props} />;
  return <PlainTable {...props} rows={props.rows.slice(0, ROWS_FIRST)} />;
}
