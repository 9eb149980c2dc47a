import { barsPath } from '../bars-path.ts';

export type ChartSeries = {
  label: string;
  /** One per bucket, oldest first. */
  values: readonly number[];
  /** A CSS colour, for example `var(--color-chart)`. */
  color: string;
};

/** Something that happened once, such as a release. */
export type ChartMark = { atMs: number; label: string };

export const BAR_WIDTH = 8;
export const BAR_GAP = 2;

/** The bars of a series, standing on those below it. */
export function stackedPath(
  below: readonly ChartSeries[],
  series: ChartSeries,
  { height, top }: { height: number; top: number },
): string {
  if (below.length === 0) {
    return barsPath(series.values, { height, barWidth: BAR_WIDTH, gap: BAR_GAP, max: top });
  }
  let path = '';
  series.values.forEach((value, index) => {
    if (value <= 0) return;
    const base = below.reduce((sum, each) => sum + (each.values[index] ?? 0), 0);
    const lower = height - (base / top) * height;
    const upper = lower - Math.max(1.5, (value / top) * height);
    path += `M${index * (BAR_WIDTH + BAR_GAP)} ${lower}V${upper}h${BAR_WIDTH}V${lower}z`;
  });
  return path;
}

/** What all series together have in each bucket. */
export function bucketTotals(series: readonly ChartSeries[], count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) =>
    series.reduce((sum, each) => sum + (each.values[index] ?? 0), 0),
  );
}
