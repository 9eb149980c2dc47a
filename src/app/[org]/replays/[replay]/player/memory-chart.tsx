'use client';

import { formatBytes } from '#ui/format-number.ts';
import { type Entry, findCurrent, formatClock } from '../../recording/timeline.ts';

const WIDTH = 400;
const HEIGHT = 160;

/** The heap of the page over the time of the replay. A click goes there. */
export function MemoryChart({
  entries,
  at,
  durationMs,
  onSeek,
}: {
  entries: readonly Entry[];
  at: number;
  durationMs: number;
  onSeek: (at: number) => void;
}) {
  const most = Math.max(1, ...entries.map(({ heapBytes = 0 }) => heapBytes));
  const x = (ms: number) => (durationMs > 0 ? (ms / durationMs) * WIDTH : 0);
  const points = entries.map(
    (entry) => `${x(entry.at)},${HEIGHT - ((entry.heapBytes ?? 0) / most) * HEIGHT}`,
  );
  const current = entries[Math.max(0, findCurrent(entries, at))];
  return (
    <div className="p-4">
      <p className="mb-2 text-sm">
        <span className="numbers font-medium">{formatBytes(current?.heapBytes ?? 0)}</span>{' '}
        <span className="text-text-muted">
          in use at {formatClock(at)}, {formatBytes(most)} at most
        </span>
      </p>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the scrubber does the same with keys */}
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label="JavaScript heap in use"
        className="h-40 w-full cursor-pointer border-b border-l"
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          onSeek(((event.clientX - box.left) / box.width) * durationMs);
        }}
      >
        <polyline
          points={points.join(' ')}
          fill="none"
          stroke="var(--color-chart)"
          strokeWidth={2}
          vectorEffect="non-scaling-stroke"
        />
        <line
          x1={x(at)}
          x2={x(at)}
          y1={0}
          y2={HEIGHT}
          stroke="var(--color-accent-line)"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
    </div>
  );
}
