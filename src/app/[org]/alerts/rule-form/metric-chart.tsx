'use client';

import type { AlertPreview } from '#product/alerts/preview/preview-alert-rule.ts';
import { MeasureChart, type ThresholdLine } from '../measure-chart.tsx';
import { type MetricDraft, parseThreshold } from './rule-draft.ts';

/** The measure of the last days with the thresholds as they are typed; dragging one types it. */
export function MetricChart({
  preview: { buckets, states },
  draft,
  onChange,
}: {
  preview: AlertPreview;
  draft: MetricDraft;
  onChange: (change: Partial<MetricDraft>) => void;
}) {
  const thresholds = (['critical', 'warning', 'resolve'] as const).flatMap((name): ThresholdLine[] => {
    const value = parseThreshold(draft[name]);
    return typeof value === 'number' ? [{ name, value }] : [];
  });
  return (
    <MeasureChart
      measure={draft.measure}
      buckets={buckets}
      states={states}
      thresholds={thresholds}
      onMove={(name, value) => onChange({ [name]: String(value) })}
    />
  );
}
