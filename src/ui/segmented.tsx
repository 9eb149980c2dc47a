'use client';

import { cx } from './cx.ts';

/** A choice between few views, in place. */
export function Segmented<T extends string>({
  label,
  value,
  options,
  onValueChange,
}: {
  label: string;
  value: T;
  options: readonly { value: T; label: string }[];
  onValueChange: (value: T) => void;
}) {
  return (
    <fieldset className="flex h-7 items-center rounded-md bg-surface-pressed p-0.5">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onValueChange(option.value)}
          className={cx(
            'h-6 rounded-sm px-2 text-xs transition-colors',
            option.value === value
              ? 'bg-surface-raised font-medium text-text'
              : 'text-text-muted hover:text-text',
          )}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  );
}
