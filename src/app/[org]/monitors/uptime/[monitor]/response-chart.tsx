'use client';

import { formatDuration } from '#domain/uptime/format-duration.ts';
import { LineChart } from '#ui/line-chart.tsx';

/** How long successful checks took, over time. */
export function ResponseChart({
  fromMs,
  bucketMs,
  averages,
  p95s,
}: {
  fromMs: number;
  bucketMs: number;
  averages: readonly (number | null)[];
  p95s: readonly (number | null)[];
}) {
  return (
    <LineChart
      label="Response time"
      fromMs={fromMs}
      bucketMs={bucketMs}
      format={(value) => (value === null ? '—' : formatDuration(value))}
      series={[
        { label: 'p95', values: p95s, color: 'var(--color-chart-2)' },
        { label: 'Average', values: averages, color: 'var(--color-chart)' },
      ]}
    />
  );
}
