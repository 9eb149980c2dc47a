/** What arrived in an hour, in any unit. */
export type HourWeight = { hour: number; weight: number };

/**
 * Hours that hold at least the bytes, of a day that `weights` describe: those in which most arrived, or those that came
 * first. `totalBytes` is what the whole day takes.
 */
export function chooseHours(
  weights: readonly HourWeight[],
  order: 'heaviest_hours' | 'oldest_hours',
  bytes: number,
  totalBytes: number,
): readonly number[] {
  const total = weights.reduce((sum, { weight }) => sum + weight, 0);
  const sorted = [...weights].sort((a, b) =>
    order === 'oldest_hours' ? a.hour - b.hour : b.weight - a.weight || b.hour - a.hour,
  );
  const hours: number[] = [];
  let chosen = 0;
  for (const { hour, weight } of sorted) {
    if (total === 0 || (chosen / total) * totalBytes >= bytes) break;
    hours.push(hour);
    chosen += weight;
  }
  return hours.sort((a, b) => a - b);
}
