'use client';

import { Select as BaseSelect } from '@base-ui/react/select';
import { Check, ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { buttonClass } from './button.tsx';
import { cx } from './cx.ts';

export type SelectOption<T extends string> = { value: T; label: string; hint?: string };

/**
 * One choice out of a list. With `name` it takes part in a form. `prefix` stands before the value (`Sort: last seen`).
 * `look` is `compact` in tool bars and `field` in forms.
 */
export function Select<T extends string>({
  label,
  options,
  value,
  defaultValue,
  onValueChange,
  name,
  id,
  prefix,
  icon,
  look = 'compact',
  disabled = false,
  className,
}: {
  /** Said to assistive technology when no visible label is tied to `id`. */
  label?: string;
  options: readonly SelectOption<T>[];
  value?: T;
  defaultValue?: T;
  onValueChange?: (value: T) => void;
  name?: string;
  id?: string;
  prefix?: string;
  icon?: ReactNode;
  look?: 'compact' | 'field';
  disabled?: boolean;
  className?: string;
}) {
  return (
    <BaseSelect.Root
      items={options}
      value={value}
      defaultValue={defaultValue}
      onValueChange={(next) => {
        if (next !== null) onValueChange?.(next as T);
      }}
      name={name}
      id={id}
      disabled={disabled}
      modal={false}
    >
      <BaseSelect.Trigger
        aria-label={label}
        className={cx(
          look === 'compact'
            ? cx(buttonClass({ size: 'md' }), 'max-w-64 font-normal')
            : 'flex h-9 w-full items-center justify-between gap-2 rounded-md border border-border-control bg-surface-raised px-2.5 text-left text-sm hover:border-text-faint',
          className,
        )}
      >
        {icon}
        {prefix ? <span className="text-text-muted">{prefix}</span> : null}
        <span className="min-w-0 truncate">
          <BaseSelect.Value />
        </span>
        <BaseSelect.Icon>
          <ChevronDown aria-hidden className="size-3.5 text-text-muted" />
        </BaseSelect.Icon>
      </BaseSelect.Trigger>
      <BaseSelect.Portal>
        <BaseSelect.Positioner
          className="z-50 outline-none"
          sideOffset={6}
          alignItemWithTrigger={false}
          align="start"
          collisionPadding={8}
        >
          <BaseSelect.Popup className="max-h-[min(24rem,var(--available-height))] min-w-[max(11rem,var(--anchor-width))] max-w-[calc(100vw-1rem)] overflow-y-auto rounded-lg bg-surface-raised p-1 shadow-float outline-none transition-opacity duration-[120ms] data-ending-style:opacity-0 data-starting-style:opacity-0">
            <BaseSelect.List>
              {options.map((option) => (
                <BaseSelect.Item
                  key={option.value}
                  value={option.value}
                  className="flex min-h-8 cursor-default select-none items-center gap-2 rounded-sm px-2.5 py-1 text-sm outline-none data-highlighted:bg-surface-hover"
                >
                  <span className="min-w-0 flex-1">
                    <BaseSelect.ItemText>{option.label}</BaseSelect.ItemText>
                    {option.hint ? (
                      <span className="block text-text-muted text-xs">{option.hint}</span>
                    ) : null}
                  </span>
                  <BaseSelect.ItemIndicator>
                    <Check aria-hidden className="size-3.5 text-accent" />
                  </BaseSelect.ItemIndicator>
                </BaseSelect.Item>
              ))}
            </BaseSelect.List>
          </BaseSelect.Popup>
        </BaseSelect.Positioner>
      </BaseSelect.Portal>
    </BaseSelect.Root>
  );
}
