import { cx } from './cx.ts';
import { Link, type LinkProps } from './navigation/link.tsx';

/** A link within the app, as part of a sentence. */
export function TextLink({ className, ...props }: LinkProps) {
  return <Link className={cx('text-accent underline underline-offset-2', className)} {...props} />;
}
