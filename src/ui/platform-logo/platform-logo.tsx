/// <reference types="next/image-types/global" />
import { cx } from '#ui/cx.ts';
import { logoOf } from './logo-of.ts';
import sprite from './platform-logos.svg';

/** One file for all logos, which browsers keep: rows of lists only name their symbol. */
const SPRITE_URL = (sprite as { src: string }).src;

const TILES = { sm: null, md: 'size-8', lg: 'size-10' } as const;

/** The logo of a platform in the color of text: bare at the size of text (`sm`), else in a tile. */
export function PlatformLogo({
  platform,
  label,
  size = 'md',
}: {
  /** Of a project or an event, such as `python-django` or `cocoa`; one without a logo gets a neutral sign. */
  platform: string | null;
  /** Read out, and shown on hover. null where the name is next to the logo. */
  label: string | null;
  size?: keyof typeof TILES;
}) {
  const tile = TILES[size];
  const logo = (
    <svg
      viewBox="0 0 24 24"
      fill="currentColor"
      role={label === null ? undefined : 'img'}
      aria-hidden={label === null ? true : undefined}
      aria-label={label ?? undefined}
      className={cx('shrink-0 text-text-muted', tile ? 'size-5' : 'size-4')}
    >
      {label === null ? null : <title>{label}</title>}
      <use href={`${SPRITE_URL}#${logoOf(platform)}`} />
    </svg>
  );
  if (tile === null) return logo;
  return (
    <span className={cx('grid shrink-0 place-items-center rounded-md border bg-surface-sunken', tile)}>
      {logo}
    </span>
  );
}
