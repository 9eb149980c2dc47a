'use client';

import { useMemo } from 'react';
import { cx } from '#ui/cx.ts';
import { type Entry, type EntryKind, formatClock } from '../../recording/timeline.ts';
import type { Player } from './use-player.ts';

/** Marks of a kind that are drawn; more lie upon each other. */
const MARKS_PER_KIND_MAX = 300;
const STEP_MS = 100;

const MARKS: Partial<Record<EntryKind, string>> = {
  navigation: 'bg-info',
  click: 'bg-text-faint',
  'dead-click': 'bg-warning',
  'rage-click': 'bg-warning',
  error: 'bg-danger',
};

/** Where the replay stands, with marks for what happened; pauses are hatched. */
export function Scrubber({ player }: { player: Player }) {
  const { at, durationMs, loadedMs, entries, idle, seek } = player;
  const marks = useMemo(() => pickMarks(entries), [entries]);
  const share = (ms: number) =>
    `${durationMs > 0 ? Math.min(100, (Math.max(0, ms) / durationMs) * 100) : 0}%`;
  return (
    <div className="relative h-8 min-w-0 flex-1">
      <div
        aria-hidden
        className="absolute inset-x-0 top-3 h-2 overflow-hidden rounded-full bg-surface-sunken"
      >
        <div className="absolute inset-y-0 left-0 bg-border" style={{ width: share(loadedMs) }} />
        {idle.map(({ from, to }) => (
          <div
            key={from}
            className="absolute inset-y-0 [background:repeating-linear-gradient(45deg,transparent_0_3px,var(--color-border-strong)_3px_4px)]"
            style={{ left: share(from), width: share(to - from) }}
          />
        ))}
        <div className="absolute inset-y-0 left-0 bg-accent/60" style={{ width: share(at) }} />
      </div>
      <div aria-hidden>
        {marks.map(({ kind, at: markAt, title }, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: marks have no identity of their own
            key={index}
            title={title}
            className={cx(
              'absolute w-0.5 rounded-full',
              MARKS[kind],
              kind === 'click' ? 'top-3 h-2' : 'top-1 h-6',
            )}
            style={{ left: share(markAt) }}
          />
        ))}
      </div>
      <input
        type="range"
        aria-label="Time in the replay"
        aria-valuetext={`${formatClock(at)} of ${formatClock(durationMs)}`}
        min={0}
        max={Math.max(1, Math.round(durationMs))}
        step={STEP_MS}
        value={Math.round(at)}
        onChange={(event) => seek(Number(event.target.value))}
        className="absolute inset-0 m-0 h-full w-full cursor-pointer appearance-none bg-transparent [&::-moz-range-thumb]:size-3.5 [&::-moz-range-thumb]:rounded-full [&::-moz-range-thumb]:border-0 [&::-moz-range-thumb]:bg-accent-solid [&::-webkit-slider-thumb]:size-3.5 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:bg-accent-solid"
      />
    </div>
  );
}

/** Errors are drawn last, above all others. */
function pickMarks(entries: readonly Entry[]): readonly Entry[] {
  return (Object.keys(MARKS) as EntryKind[])
    .toSorted((one, other) => Number(one === 'error') - Number(other === 'error'))
    .flatMap((kind) => entries.filter((entry) => entry.kind === kind).slice(0, MARKS_PER_KIND_MAX));
}
