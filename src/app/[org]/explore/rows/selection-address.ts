import { MINUTE_MS } from '#lib/time.ts';
import type { Range } from '#product/time-buckets.ts';

/** The parameter that has the part of the time that is explained. */
export const SELECTION = 'select';

/** `peak`, or two moments in ISO 8601 with two dots between; null for anything else. */
export function readSelection(text: string | null): Range | 'peak' | null {
  if (text === 'peak') return text;
  const [fromMs = Number.NaN, toMs = Number.NaN, ...more] = (text ?? '')
    .split('..')
    .map((each) => Date.parse(each));
  const isRange = more.length === 0 && fromMs >= 0 && toMs - fromMs >= MINUTE_MS;
  return isRange ? { fromMs, toMs } : null;
}

export function writeSelection(selection: Range | 'peak' | null): string | null {
  if (selection === null || selection === 'peak') return selection;
  return [selection.fromMs, selection.toMs]
    .map((ms) => new Date(ms).toISOString().replace('.000Z', 'Z'))
    .join('..');
}
