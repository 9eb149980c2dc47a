import type { ComponentProps, ReactNode } from 'react';
import { cx } from './cx.ts';

/** A heading, or null for the column of delete buttons. */
type TableColumn = string | { heading: string; align?: 'right'; title?: string } | null;

/** The heading of a column of numbers. */
export const numeric = (heading: string): TableColumn => ({ heading, align: 'right' });

/**
 * A table that scrolls sideways by itself when the page is narrow. `label` names it for assistive technology. With
 * `columns` the children are its rows, otherwise its head and body.
 */
export function Table({
  label,
  columns,
  children,
  className,
}: {
  label: string;
  columns?: readonly TableColumn[];
  children: ReactNode;
  className?: string;
}) {
  return (
    <ScrollRegion label={label} className="@container relative overflow-x-auto">
      <table className={cx('w-full border-collapse text-left text-sm', className)}>
        {columns ? (
          <>
            <thead>
              <tr>{columns.map(headOf)}</tr>
            </thead>
            <tbody>{children}</tbody>
          </>
        ) : (
          children
        )}
      </table>
    </ScrollRegion>
  );
}

function headOf(column: TableColumn) {
  if (column === null) {
    return (
      <Th key="delete">
        <span className="sr-only">Delete</span>
      </Th>
    );
  }
  const { heading, ...props } = typeof column === 'string' ? { heading: column } : column;
  return (
    <Th key={heading} {...props}>
      {heading}
    </Th>
  );
}

/** A column's heading. `align="right"` for numbers. */
export function Th({
  align = 'left',
  className,
  ...props
}: Omit<ComponentProps<'th'>, 'align'> & { align?: 'left' | 'right' }) {
  return (
    <th
      scope="col"
      className={cx(
        'h-9 whitespace-nowrap border-b px-4 font-medium text-text-muted text-xs',
        align === 'right' && 'text-right',
        className,
      )}
      {...props}
    />
  );
}

/** `numeric`: a number with its unit, at the right and in one line. */
export function Td({
  align = 'left',
  numeric: isNumeric = false,
  className,
  ...props
}: Omit<ComponentProps<'td'>, 'align'> & { align?: 'left' | 'right'; numeric?: boolean }) {
  return (
    <td
      className={cx(
        'border-b px-4 py-2 align-middle',
        (isNumeric || align === 'right') && 'numbers text-right',
        isNumeric && 'whitespace-nowrap',
        className,
      )}
      {...props}
    />
  );
}

/** A row; the last one has no line under it. */
export function Tr({ className, ...props }: ComponentProps<'tr'>) {
  return (
    <tr
      className={cx('transition-colors hover:bg-surface-hover last:[&>td]:border-b-0', className)}
      {...props}
    />
  );
}

/** An area that scrolls by itself, by pointer and by keyboard. `label` names it for assistive technology. */
export function ScrollRegion({
  label,
  children,
  className,
}: {
  label: string;
  children: ReactNode;
  className?: string;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls, and a section would be one landmark more
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
    <div role="group" aria-label={label} tabIndex={0} className={className}>
      {children}
    </div>
  );
}
