/** Colors of the lines of one chart, each unlike the others. */
export const SERIES_COLORS: readonly string[] = Array.from({ length: 10 }, (_, index) =>
  index === 0 ? 'var(--color-chart)' : `var(--color-chart-${index + 1})`,
);
