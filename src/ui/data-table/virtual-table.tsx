'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { DataHead, type DataTableProps, PlainRow } from './plain-table.tsx';

const ROW_HEIGHT_PX = 44;
/** Rows beyond each edge, so that fast scrolling shows no gap. */
const OVERSCAN_ROWS = 6;
const VIEW_HEIGHT_PX = 640;

/** A table that scrolls by itself and holds only the rows in view. Its heights are measured, so rows may wrap. */
export function VirtualTable({ label, columns, rows }: DataTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT_PX,
    overscan: OVERSCAN_ROWS,
    getItemKey: (index) => rows[index]?.key ?? index,
    initialRect: { width: 0, height: VIEW_HEIGHT_PX },
  });
  const items = virtualizer.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <div
      ref={scroller}
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
      tabIndex={0}
      className="overflow-auto"
      style={{ maxHeight: VIEW_HEIGHT_PX }}
    >
      <table aria-rowcount={rows.length + 1} className="w-full border-collapse text-left text-sm">
        <DataHead columns={columns} className="sticky top-0 z-10 bg-surface-raised" />
        <tbody>
          <Gap columns={columns.length} height={before} />
          {items.map((item) => {
            const row = rows[item.index];
            return row ? (
              <PlainRow
                key={item.key}
                ref={virtualizer.measureElement}
                data-index={item.index}
                // The heading is the first row.
                aria-rowindex={item.index + 2}
                columns={columns}
                row={row}
              />
            ) : null;
          })}
          <Gap columns={columns.length} height={after} />
        </tbody>
      </table>
    </div>
  );
}

/** Stands for the rows that are out of view. */
function Gap({ columns, height }: { columns: number; height: number }) {
  return height > 0 ? (
    <tr aria-hidden>
      <td colSpan={columns} style={{ height, padding: 0 }} />
    </tr>
  ) : null;
}
