'use client';

import { cx } from '#ui/cx.ts';
import { LIVE_WORDS, type LiveState } from './live-state.ts';

/** Whether the page follows what happens. */
export function LiveCue({ state }: { state: LiveState }) {
  const { label, title } = LIVE_WORDS[state];
  return (
    <span
      title={title}
      className="inline-flex items-center gap-1.5 whitespace-nowrap text-text-muted text-xs"
    >
      <span
        aria-hidden
        className={cx('size-2 rounded-full', state === 'live' ? 'bg-success' : 'border border-text-faint')}
      />
      {state === 'connecting' ? <span className="sr-only">{label}</span> : label}
    </span>
  );
}
