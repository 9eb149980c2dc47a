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

/** Height that a value above zero has at least, so that one event among thousands stays visible. */
const VISIBLE_HEIGHT = 1.5;

/** One SVG path for all bars: zero draws nothing, everything else at least a line. */
export function barsPath(
  values: readonly number[],
  { height, barWidth, gap, max }: { height: number; barWidth: number; gap: number; max?: number },
): string {
  const top = Math.max(1, max ?? 0, ...(max === undefined ? values : []));
  let path = '';
  values.forEach((value, index) => {
    if (value <= 0) return;
    const tall = Math.max(VISIBLE_HEIGHT, (Math.min(value, top) / top) * height);
    const x = index * (barWidth + gap);
    path += `M${x} ${height}V${round(height - tall)}h${barWidth}V${height}z`;
  });
  return path;
}

/** The smallest round number (1, 2, 2.5 or 5 times a power of ten, whole) that is not below the value. */
export function niceCeiling(value: number): number {
  if (value <= 4) return Math.max(1, Math.ceil(value));
  const power = 10 ** Math.floor(Math.log10(value));
  for (const step of [1, 2, 2.5, 5, 10]) {
    const ceiling = step * power;
    if (ceiling >= value && Number.isInteger(ceiling)) return ceiling;
  }
  return 10 * power;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
