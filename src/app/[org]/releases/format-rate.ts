/** A share as people compare crash-free rates: two digits, and never 100% while something crashed. */
export function formatRate(rate: number): string {
  const hundredths = Math.floor(rate * 10_000 + 1e-9);
  if (hundredths === 10_000) return '100%';
  return `${(hundredths / 100).toFixed(hundredths >= 9_900 || hundredths === 0 ? 2 : 1)}%`;
}

/** How many percentage points lie between two shares, with a sign; null when nothing changed. */
export function formatRateChange(rate: number, before: number): string | null {
  const points = Math.round((rate - before) * 10_000) / 100;
  if (points === 0) return null;
  return `${points > 0 ? '+' : '−'}${Math.abs(points)} points`;
}

/** How much more or less a count is than before, with a sign; null when nothing changed. */
export function formatCountChange(count: number, before: number): string | null {
  if (count === before) return null;
  const sign = count > before ? '+' : '−';
  if (before === 0) return `${sign}${Math.abs(count - before)}`;
  return `${sign}${Math.max(1, Math.round((Math.abs(count - before) / before) * 100))}%`;
}
