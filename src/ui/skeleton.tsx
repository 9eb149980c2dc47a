import { cx } from './cx.ts';

/** A grey bar in the shape of what is on its way. The list around it carries `aria-busy`. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cx('animate-pulse rounded-sm bg-surface-pressed', className)} />;
}
