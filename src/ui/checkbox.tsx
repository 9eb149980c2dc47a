'use client';

import type { ComponentProps, ReactNode } from 'react';
import { cx } from './cx.ts';

type CheckboxProps = Omit<ComponentProps<'input'>, 'type' | 'ref'> & { indeterminate?: boolean };

/** A check box; needs an `aria-label` when no label is around it. */
export function Checkbox({ indeterminate = false, className, ...props }: CheckboxProps) {
  return (
    <input
      type="checkbox"
      ref={(element) => {
        if (element) element.indeterminate = indeterminate;
      }}
      className={cx('check-box', className)}
      {...props}
    />
  );
}

/** A check box with its label, and what it does below it. */
export function CheckboxField({
  id,
  label,
  help,
  badge,
  aside,
  className,
  ...checkbox
}: CheckboxProps & {
  id: string;
  label: ReactNode;
  help: ReactNode;
  /** Beside the label. */
  badge?: ReactNode;
  /** At the end of the row. */
  aside?: ReactNode;
}) {
  return (
    <div className={cx('flex items-start gap-3', className)}>
      <Checkbox id={id} aria-describedby={`${id}-help`} className="mt-0.5" {...checkbox} />
      <div className="flex min-w-0 flex-1 flex-wrap items-start justify-between gap-x-4">
        <div className="min-w-0 flex-1 basis-52">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <label htmlFor={id} className="font-medium text-sm">
              {label}
            </label>
            {badge}
          </div>
          <p id={`${id}-help`} className="max-w-[75ch] text-text-muted text-xs">
            {help}
          </p>
        </div>
        {aside}
      </div>
    </div>
  );
}
