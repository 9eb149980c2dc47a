'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import { cx } from '#ui/cx.ts';
import { type Entry, findCurrent, formatClock } from '../../recording/timeline.ts';

const ROW_HEIGHT_PX = 36;
const OVERSCAN_ROWS = 10;
const HEIGHT_PX = 480;

/**
 * What happened, in its order: the row of the moment that plays is marked and stays in view, and a row moves the replay
 * to its time.
 */
export function EntryList({
  label,
  entries,
  at,
  onSeek,
  empty,
  children,
}: {
  label: string;
  entries: readonly Entry[];
  at: number;
  onSeek: (at: number) => void;
  /** Stands there without any. */
  empty: string;
  children: (entry: Entry) => ReactNode;
}) {
  const box = useRef<HTMLUListElement>(null);
  const current = findCurrent(entries, at);
  const virtualizer = useVirtualizer({
    count: entries.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT_PX,
    overscan: OVERSCAN_ROWS,
    initialRect: { width: 0, height: HEIGHT_PX },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another row scrolls the list
  useEffect(() => {
    if (current >= 0) virtualizer.scrollToIndex(current, { align: 'auto' });
  }, [current]);

  if (entries.length === 0) return <p className="px-4 py-6 text-sm text-text-muted">{empty}</p>;
  return (
    <ul
      ref={box}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached with the keyboard
      tabIndex={0}
      className="relative overflow-y-auto overflow-x-hidden"
      style={{ height: Math.min(HEIGHT_PX, virtualizer.getTotalSize()) }}
    >
      <li aria-hidden style={{ height: virtualizer.getTotalSize() }} />
      {virtualizer.getVirtualItems().map(({ index, key, start }) => {
        const entry = entries[index];
        if (!entry) return null;
        return (
          <li
            key={key}
            aria-current={index === current ? 'true' : undefined}
            className={cx(
              'absolute inset-x-0 top-0 flex items-center gap-2 border-b px-3 text-xs',
              index === current && 'bg-accent-soft',
            )}
            style={{ height: ROW_HEIGHT_PX, transform: `translateY(${start}px)` }}
          >
            <button
              type="button"
              onClick={() => onSeek(entry.at)}
              aria-label={`Go to ${formatClock(entry.at)}: ${entry.title}`}
              className="numbers link w-12 shrink-0 text-left"
            >
              {formatClock(entry.at)}
            </button>
            {children(entry)}
          </li>
        );
      })}
    </ul>
  );
}
