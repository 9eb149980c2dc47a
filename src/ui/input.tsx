import type { ComponentProps } from 'react';
import { cx } from './cx.ts';

export const inputClass =
  'w-full rounded-md border border-border-control bg-surface-raised px-2.5 text-sm text-text shadow-none transition-colors hover:border-text-faint focus-visible:border-accent-line focus-visible:outline-1 focus-visible:outline-offset-0 disabled:cursor-not-allowed disabled:opacity-60 aria-invalid:border-danger';

/** A one-line text field without its label; see TextField for one with. `isCompact` fits tool bars. */
export function Input({
  isCompact = false,
  className,
  ...props
}: ComponentProps<'input'> & { isCompact?: boolean }) {
  return <input className={cx(inputClass, isCompact ? 'h-8' : 'h-9', className)} {...props} />;
}

export function Textarea({ className, ...props }: ComponentProps<'textarea'>) {
  return <textarea className={cx(inputClass, 'min-h-20 py-2', className)} {...props} />;
}
