'use client';

import type { ComponentProps } from 'react';
import { cx } from './cx.ts';

/** A check box; needs an `aria-label` when no label is around it. */
export function Checkbox({
  indeterminate = false,
  className,
  ...props
}: Omit<ComponentProps<'input'>, 'type' | 'ref'> & { indeterminate?: boolean }) {
  return (
    <input
      type="checkbox"
      ref={(element) => {
        if (element) element.indeterminate = indeterminate;
      }}
      className={cx(
        'tick size-4 shrink-0 appearance-none rounded-sm border border-border-control bg-surface-raised bg-center bg-no-repeat transition-colors checked:border-accent-solid checked:bg-accent-solid indeterminate:border-accent-solid indeterminate:bg-accent-solid hover:border-text-muted',
        className,
      )}
      {...props}
    />
  );
}
