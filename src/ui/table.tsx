import type { ComponentProps, ReactNode } from 'react';
import { cx } from './cx.ts';

/** A table that scrolls sideways by itself when the page is narrow. `label` names it for assistive technology. */
export function Table({
  label,
  children,
  className,
}: {
  label: string;
  children: ReactNode;
  className?: string;
}) {
  return (
    <ScrollRegion label={label} className="relative overflow-x-auto">
      <table className={cx('w-full border-collapse text-left text-sm', className)}>{children}</table>
    </ScrollRegion>
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

export function Td({
  align = 'left',
  className,
  ...props
}: Omit<ComponentProps<'td'>, 'align'> & { align?: 'left' | 'right' }) {
  return (
    <td
      className={cx('border-b px-4 py-2 align-middle', align === 'right' && 'numbers text-right', className)}
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
