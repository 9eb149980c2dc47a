const UNITS = [
  [10_080, 'week'],
  [1_440, 'day'],
  [60, 'hour'],
  [1, 'minute'],
] as const;

/** In the largest unit without a remainder: `2 hours`, `90 minutes`. */
export function describeMinutes(minutes: number): string {
  const [size, name] = UNITS.find(([each]) => minutes % each === 0) ?? [1, 'minute'];
  return countOf(minutes / size, name);
}

/** `1 event`, `1,000 events`. */
export const countOf = (count: number, name: string): string =>
  `${count.toLocaleString('en-US')} ${name}${count === 1 ? '' : 's'}`;
