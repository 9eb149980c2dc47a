import type { ReactNode } from 'react';
import { Checkbox } from '#ui/checkbox.tsx';
import { cx } from '#ui/cx.ts';

/** A check box of a form with what it does below its label. */
export function SwitchRow({
  id,
  name = id,
  label,
  help,
  defaultChecked,
  aside,
  className,
}: {
  id: string;
  name?: string;
  label: ReactNode;
  help: ReactNode;
  defaultChecked: boolean;
  /** Stands at the end of the row. */
  aside?: ReactNode;
  className?: string;
}) {
  return (
    <div className={cx('flex items-start gap-3', className)}>
      <Checkbox
        id={id}
        name={name}
        defaultChecked={defaultChecked}
        aria-describedby={`${id}-help`}
        className="mt-0.5"
      />
      <div className="flex min-w-0 flex-1 flex-wrap items-start justify-between gap-x-4">
        <div className="min-w-0 flex-1 basis-52">
          <label htmlFor={id} className="font-medium text-sm">
            {label}
          </label>
          <p id={`${id}-help`} className="max-w-[75ch] text-text-muted text-xs">
            {help}
          </p>
        </div>
        {aside}
      </div>
    </div>
  );
}
