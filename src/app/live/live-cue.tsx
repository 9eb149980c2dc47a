'use client';

import { cx } from '#ui/cx.ts';
import type { LiveState } from './use-live-changes.ts';

const WORDS: Record<LiveState, { label: string; title: string }> = {
  live: { label: 'live', title: 'New events appear by themselves' },
  connecting: { label: 'connecting', title: 'Connecting for live updates' },
  paused: { label: 'paused', title: 'Live updates pause while the tab is hidden' },
};

/** Whether the page follows what happens. */
export function LiveCue({ state }: { state: LiveState }) {
  const { label, title } = WORDS[state];
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
