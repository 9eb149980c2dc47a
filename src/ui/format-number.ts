const SUFFIXES = ['', 'k', 'M', 'G', 'T'] as const;

/** A count in at most four signs: 950, 1.2k, 12.4k, 842k, 3.1M. Never rounds up to a number that is not reached. */
export function formatCount(count: number): string {
  let value = count;
  let step = 0;
  while (value >= 1000 && step < SUFFIXES.length - 1) {
    value /= 1000;
    step += 1;
  }
  if (step === 0) return String(count);
  const text = value < 100 ? (Math.floor(value * 10) / 10).toString() : Math.floor(value).toString();
  return `${text}${SUFFIXES[step]}`;
}

const EXACT = new Intl.NumberFormat('en-US');

/** A count in full with separators: 12,408. */
export function formatExact(count: number): string {
  return EXACT.format(count);
}

/** A share of a whole, in whole percent; never 0 % for something nor 100 % for less than all. */
export function formatShare(part: number, whole: number): string {
  if (whole <= 0 || part <= 0) return '0%';
  const percent = (part / whole) * 100;
  if (percent < 1) return '<1%';
  if (part < whole && percent > 99) return '>99%';
  return `${Math.round(percent)}%`;
}

/** `1 event`, `2 events`. */
export function formatPlural(count: number, one: string, many = `${one}s`): string {
  return `${formatExact(count)} ${count === 1 ? one : many}`;
}

/** Bytes as people read them: 512 B, 4.4 KB, 1.2 MB (powers of 1,024). */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const;
  let value = bytes;
  let step = 0;
  while (value >= 1024 && step < units.length - 1) {
    value /= 1024;
    step += 1;
  }
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[step]}`;
}

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
