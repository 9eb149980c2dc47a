'use client';

import { useState } from 'react';
import { lightTrigger } from './on-demand/light-trigger.ts';
import { onDemand, usePopupOnDemand } from './on-demand/on-demand.ts';
import { SelectFace, type SelectProps, selectClass } from './select/select-face.tsx';

export type { SelectOption } from './select/select-face.tsx';

const fullSelect = onDemand(() => import('./select/full-select.tsx'));

/** One choice out of a list. Its code is fetched when it is first opened. */
export function Select<T extends string>({ defaultValue, onValueChange, ...props }: SelectProps<T>) {
  const [ownValue, setOwnValue] = useState(defaultValue);
  const [isAsked, setIsAsked] = useState(false);
  const full = usePopupOnDemand(fullSelect, isAsked, () => setIsAsked(false));
  const value = props.value ?? ownValue;

  if (full) {
    return (
      <full.FullSelect<T>
        {...props}
        value={value}
        onValueChange={(next) => {
          setOwnValue(next);
          onValueChange?.(next);
        }}
      />
    );
  }
  const { label, options, name, id, prefix, icon, look = 'compact', disabled = false, className } = props;
  return (
    <>
      {lightTrigger(
        <button
          type="button"
          role="combobox"
          aria-expanded={false}
          aria-controls={undefined}
          id={id}
          aria-label={label}
          disabled={disabled}
          className={selectClass(look, className)}
        >
          <SelectFace
            icon={icon}
            prefix={prefix}
            value={options.find((option) => option.value === value)?.label}
          />
        </button>,
        {
          popup: 'listbox',
          opensWithArrows: true,
          onNear: () => void fullSelect.load().catch(() => {}),
          onOpen: () => setIsAsked(true),
        },
      )}
      {name !== undefined && !disabled ? <input type="hidden" name={name} value={value ?? ''} /> : null}
    </>
  );
}
