import { cx } from './cx.ts';

export type MarkLevel = 'fatal' | 'error' | 'warning' | 'info' | 'debug';

/** A level by shape and colour: octagon, disc, triangle, square, ring. The word is there for assistive technology. */
export function LevelMark({ level, className }: { level: MarkLevel; className?: string }) {
  return (
    <svg viewBox="0 0 12 12" role="img" aria-label={level} className={cx('level', COLOURS[level], className)}>
      <title>{level}</title>
      {SHAPES[level]}
    </svg>
  );
}

/** The level's mark with its word. */
export function LevelBadge({ level }: { level: MarkLevel }) {
  return (
    <span className="inline-flex items-center gap-1.5 text-sm text-text">
      <svg viewBox="0 0 12 12" aria-hidden="true" className={cx('size-3 shrink-0', COLOURS[level])}>
        {SHAPES[level]}
      </svg>
      {level}
    </span>
  );
}

const COLOURS: Record<MarkLevel, string> = {
  fatal: 'text-level-fatal',
  error: 'text-level-error',
  warning: 'text-level-warning',
  info: 'text-level-info',
  debug: 'text-level-debug',
};

const SHAPES: Record<MarkLevel, React.ReactNode> = {
  fatal: <path d="M4 1h4l3 3v4l-3 3H4L1 8V4z" fill="currentColor" />,
  error: <circle cx="6" cy="6" r="4.5" fill="currentColor" />,
  warning: <path d="M6 1.2 11.2 10.6H.8z" fill="currentColor" />,
  info: <rect x="2" y="2" width="8" height="8" rx="1.5" fill="currentColor" />,
  debug: <circle cx="6" cy="6" r="3.75" fill="none" stroke="currentColor" strokeWidth="1.75" />,
};
