'use client';

import { CSPProvider } from '@base-ui/react/csp-provider';
import { Select as BaseSelect } from '@base-ui/react/select';
import { Check } from 'lucide-react';
import { SelectFace, type SelectProps, selectClass } from './select-face.tsx';

/** The select itself, open from the start. `value` is what is chosen, also where the caller does not control it. */
export function FullSelect<T extends string>({
  label,
  options,
  value,
  onValueChange,
  name,
  id,
  prefix,
  icon,
  look = 'compact',
  disabled = false,
  className,
}: Omit<SelectProps<T>, 'defaultValue'>) {
  return (
    // The policy of the pages allows no style elements, and this one would only hide a scroll bar.
    <CSPProvider disableStyleElements>
      <BaseSelect.Root
        items={options}
        value={value ?? null}
        onValueChange={(next) => {
          if (next !== null) onValueChange?.(next as T);
        }}
        name={name}
        id={id}
        disabled={disabled}
        modal={false}
        defaultOpen
      >
        <BaseSelect.Trigger aria-label={label} className={selectClass(look, className)}>
          <SelectFace icon={icon} prefix={prefix} value={<BaseSelect.Value />} />
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
    </CSPProvider>
  );
}
