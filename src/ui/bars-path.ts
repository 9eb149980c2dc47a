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
