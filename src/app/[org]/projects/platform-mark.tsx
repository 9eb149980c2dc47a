import { cx } from '#ui/cx.ts';
import { findPlatform } from './platforms.ts';

/** The initials of a platform in a tile. The name stands beside it, so it is silent to assistive technology. */
export function PlatformMark({ platform, size = 'md' }: { platform: string | null; size?: 'md' | 'lg' }) {
  return (
    <span
      aria-hidden
      className={cx(
        'mono grid shrink-0 place-items-center rounded-md border bg-surface-sunken font-semibold text-text-muted',
        size === 'md' ? 'size-8 text-xs' : 'size-10 text-sm',
      )}
    >
      {findPlatform(platform)?.initials ?? (platform ?? '·').slice(0, 2)}
    </span>
  );
}
