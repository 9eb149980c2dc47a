import { formatUptime } from './uptime-labels.ts';

const HEIGHT = 24;
const BAR_WIDTH = 3;
const STEP = 4;
/** Failures stand out by their height as well. */
const OK_HEIGHT = 16;

type Cell = { successes: number; failures: number; unknown: number };

/** One bar for each stretch of time, oldest first: up, partly or wholly down, or nothing known. */
export function HistoryStrip({
  cells,
  label,
  availability,
}: {
  cells: readonly Cell[];
  /** Which time it shows: `Last 24 hours`. */
  label: string;
  availability: number | null;
}) {
  const width = cells.length * STEP;
  const failed = cells.filter(({ failures }) => failures > 0).length;
  return (
    <svg
      viewBox={`0 0 ${width} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${label}: ${formatUptime(availability)} available, failures in ${failed} of ${cells.length} parts`}
      className="block h-6 w-full"
    >
      {KINDS.map(({ kind, color, height }) => (
        <path
          key={kind}
          fill={color}
          d={cells
            .map((cell, place) =>
              kindOf(cell) === kind ? `M${place * STEP} ${HEIGHT}v-${height}h${BAR_WIDTH}v${height}z` : '',
            )
            .join('')}
        />
      ))}
    </svg>
  );
}

const KINDS = [
  { kind: 'none', color: 'var(--color-border)', height: 6 },
  { kind: 'unknown', color: 'var(--color-border-strong)', height: 6 },
  { kind: 'up', color: 'var(--color-success)', height: OK_HEIGHT },
  { kind: 'partly', color: 'var(--color-chart-3)', height: HEIGHT },
  { kind: 'down', color: 'var(--color-danger)', height: HEIGHT },
] as const;

function kindOf({ successes, failures, unknown }: Cell): (typeof KINDS)[number]['kind'] {
  if (failures > 0) return successes > failures ? 'partly' : 'down';
  if (successes > 0) return 'up';
  return unknown > 0 ? 'unknown' : 'none';
}
