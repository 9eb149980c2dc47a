import { cx } from './cx.ts';

/** A gray placeholder bar. The list around it carries `aria-busy`. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cx('animate-pulse rounded-sm bg-surface-pressed', className)} />;
}
