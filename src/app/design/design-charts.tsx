'use client';

import { useState } from 'react';
import { HOUR_MS } from '#lib/time.ts';
import { BarChart } from '#ui/bar-chart.tsx';
import { Card } from '#ui/card.tsx';
import { formatMoments } from '#ui/format-time.ts';
import { useTimeZone } from '#ui/relative-time.tsx';
import { Sparkline } from '#ui/sparkline.tsx';

const FROM_MS = Date.UTC(2026, 10, 1);
const BARS = 48;
const wave = (height: number, shift: number) =>
  Array.from({ length: BARS }, (_, index) =>
    Math.max(0, Math.round(height * (1 + Math.sin(index / 4 + shift)) * (index % 7 === 3 ? 0 : 1))),
  );
const SMALL = wave(40, 0).slice(0, 24);

/** Bars over time with all that they can tell, and the small ones of lists. */
export function DesignCharts() {
  const timeZone = useTimeZone();
  const [chosen, setChosen] = useState<{ fromMs: number; toMs: number } | null>(null);
  return (
    <Card title="Charts">
      <div className="flex flex-col gap-8 pt-2">
        <BarChart
          label="Events"
          unit="events"
          fromMs={FROM_MS}
          bucketMs={HOUR_MS}
          series={[{ label: 'Events', values: wave(600, 1), color: 'var(--color-chart)' }]}
          marks={[
            { atMs: FROM_MS + 12.5 * HOUR_MS, label: 'web@2.0.9' },
            { atMs: FROM_MS + 36 * HOUR_MS, label: 'web@2.1.0' },
          ]}
          noDataBeforeMs={FROM_MS + 6 * HOUR_MS}
          onSelectRange={setChosen}
        />
        <p role="status" className="text-sm text-text-muted">
          {chosen
            ? `Selected: ${formatMoments(chosen.fromMs, chosen.toMs, timeZone, chosen.toMs)}`
            : 'Drag over the bars.'}
        </p>
        <BarChart
          label="Items by outcome"
          unit="items"
          fromMs={FROM_MS}
          bucketMs={HOUR_MS}
          series={[
            { label: 'Accepted', values: wave(50, 0), color: 'var(--color-chart)' },
            { label: 'Filtered', values: wave(20, 2), color: 'var(--color-chart-3)' },
            { label: 'Invalid', values: wave(5, 4), color: 'var(--color-chart-4)' },
          ]}
        />
        <BarChart
          label="Events"
          unit="events"
          fromMs={FROM_MS}
          bucketMs={HOUR_MS}
          series={[
            { label: 'Events', values: Array.from({ length: BARS }, () => 0), color: 'var(--color-chart)' },
          ]}
        />
        <div className="w-40">
          <Sparkline values={SMALL} label="Sparklines" />
        </div>
      </div>
    </Card>
  );
}
