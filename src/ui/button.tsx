import type { ComponentProps } from 'react';
import { cx } from './cx.ts';

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger';
export type ButtonSize = 'sm' | 'md' | 'lg';
export type ButtonAppearance = { variant?: ButtonVariant; size?: ButtonSize; iconOnly?: boolean };

/**
 * A plain button: `type="button"` unless told otherwise. Icon-only buttons need an `aria-label`. While what it started is
 * under way, it is disabled and shows a spinner.
 */
export function Button({
  variant,
  size,
  iconOnly,
  isPending = false,
  disabled = false,
  className,
  type = 'button',
  ...props
}: ComponentProps<'button'> & ButtonAppearance & { isPending?: boolean }) {
  return (
    <button
      type={type}
      disabled={disabled || isPending}
      aria-busy={isPending || undefined}
      className={cx(buttonClass({ variant, size, iconOnly }), className)}
      {...props}
    />
  );
}

/** The classes of a button, for elements that are no `<button>`. */
export function buttonClass({
  variant = 'secondary',
  size = 'md',
  iconOnly = false,
}: ButtonAppearance = {}): string {
  return cx(`button button-${variant}`, iconOnly ? SQUARES[size] : SIZES[size]);
}

const SIZES: Record<ButtonSize, string> = {
  sm: 'h-7 px-2.5 text-xs',
  md: 'h-8 px-3 text-sm',
  lg: 'h-10 px-4 text-base',
};

const SQUARES: Record<ButtonSize, string> = { sm: 'size-7', md: 'size-8', lg: 'size-10' };
