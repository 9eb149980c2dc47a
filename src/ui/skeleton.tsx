import { cx } from './cx.ts';

/** A gray placeholder bar. The list around it carries `aria-busy`. */
export function Skeleton({ className }: { className?: string }) {
  return <div className={cx('skeleton', className)} />;
}
