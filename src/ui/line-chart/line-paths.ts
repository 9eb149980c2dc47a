export type LineSeries = {
  label: string;
  /** One per bucket, oldest first; null where there is none. */
  values: readonly (number | null)[];
  /** A CSS color. */
  color: string;
  /** Something that is compared with, drawn dashed. */
  isFaint?: boolean;
};

/** `bottom` and `top` are the values at the ends of the axis. */
type Box = { width: number; height: number; bottom: number; top: number; count: number };

/** The line through the values, in a box; it breaks where there is none. What has no neighbor is in `dotPaths`. */
export function linePaths(values: readonly (number | null)[], box: Box): string {
  return pathOf(values, box, (index) => !isAlone(values, index));
}

/** Values without a neighbor, which no line passes through, as points that a thick round stroke makes dots. */
export function dotPaths(values: readonly (number | null)[], box: Box): string {
  return pathOf(values, box, (index) => isAlone(values, index));
}

const isAlone = (values: readonly (number | null)[], index: number): boolean =>
  values[index - 1] == null && values[index + 1] == null;

function pathOf(
  values: readonly (number | null)[],
  { width, height, bottom, top, count }: Box,
  isIn: (index: number) => boolean,
): string {
  let path = '';
  values.forEach((value, index) => {
    if (value === null || !isIn(index)) return;
    const x = round(((index + 0.5) / count) * width);
    const y = round(height - ((Math.min(Math.max(value, bottom), top) - bottom) / (top - bottom)) * height);
    path += values[index - 1] == null ? `M${x} ${y}h0` : `L${x} ${y}`;
  });
  return path;
}

/** The top of the axis: the largest value, and more than nothing. */
export const lineTop = (series: readonly LineSeries[]): number =>
  Math.max(...series.flatMap(({ values }) => values.map((value) => value ?? 0)), 0) || 1;

const round = (value: number): number => Math.round(value * 10) / 10;
