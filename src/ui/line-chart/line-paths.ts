export type LineSeries = {
  label: string;
  /** One per bucket, oldest first; null where there is none. */
  values: readonly (number | null)[];
  /** A CSS color. */
  color: string;
  /** Something that is compared with, drawn dashed. */
  isFaint?: boolean;
};

/** The line through the values, in a box; it breaks where there is none, and a value by itself is a dot. */
export function linePaths(
  values: readonly (number | null)[],
  { width, height, top, count }: { width: number; height: number; top: number; count: number },
): string {
  let path = '';
  values.forEach((value, index) => {
    if (value === null) return;
    const x = round(((index + 0.5) / count) * width);
    const y = round(height - (Math.min(Math.max(value, 0), top) / top) * height);
    const isAlone = values[index - 1] == null;
    path += isAlone ? `M${x} ${y}h0` : `L${x} ${y}`;
  });
  return path;
}

/** The top of the axis: the largest value, and more than nothing. */
export const lineTop = (series: readonly LineSeries[]): number =>
  Math.max(...series.flatMap(({ values }) => values.map((value) => value ?? 0)), 0) || 1;

const round = (value: number): number => Math.round(value * 10) / 10;
