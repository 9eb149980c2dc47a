import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { buttonClass } from '../button.tsx';
import { cx } from '../cx.ts';

/** What the button of a select shows. */
export function SelectFace({ icon, prefix, value }: { icon?: ReactNode; prefix?: string; value: ReactNode }) {
  return (
    <>
      {icon}
      {prefix ? <span className="text-text-muted">{prefix}</span> : null}
      <span className="min-w-0 truncate">{value}</span>
      <span aria-hidden>
        <ChevronDown className="size-3.5 text-text-muted" />
      </span>
    </>
  );
}

export function selectClass(look: 'compact' | 'field', className: string | undefined): string {
  return cx(
    look === 'compact'
      ? cx(buttonClass({ size: 'md' }), 'max-w-64 font-normal')
      : 'flex h-9 w-full items-center justify-between gap-2 rounded-md border border-border-control bg-surface-raised px-2.5 text-left text-sm hover:border-text-faint',
    className,
  );
}

export type SelectOption<T extends string> = { value: T; label: string; hint?: string };

export type SelectProps<T extends string> = {
  /** Said to assistive technology when no visible label is tied to `id`. */
  label?: string;
  options: readonly SelectOption<T>[];
  value?: T;
  defaultValue?: T;
  onValueChange?: (value: T) => void;
  /** Takes part in the form around it under this name. */
  name?: string;
  id?: string;
  /** Stands before the value: `Sort: last seen`. */
  prefix?: string;
  icon?: ReactNode;
  /** `compact` in tool bars, `field` in forms. */
  look?: 'compact' | 'field';
  disabled?: boolean;
  className?: string;
};
