import type { ReactNode } from 'react';
import { type ButtonAppearance, buttonClass } from './button.tsx';
import { cx } from './cx.ts';
import { Link, type LinkProps } from './navigation/link.tsx';

/** A link that looks like a button. Not beside it: the error pages have buttons, and load nothing of navigation for them. */
export function ButtonLink({
  variant,
  size,
  iconOnly,
  className,
  children,
  ...props
}: LinkProps & ButtonAppearance & { children: ReactNode }) {
  return (
    <Link className={cx(buttonClass({ variant, size, iconOnly }), className)} {...props}>
      {children}
    </Link>
  );
}
