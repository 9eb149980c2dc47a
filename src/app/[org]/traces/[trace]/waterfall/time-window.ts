/** The stretch of a trace that the bars show, in microseconds since it began. */
export type TimeWindow = { fromUs: number; toUs: number };

/** Closer than this nothing can be told apart. */
const WINDOW_US_MIN = 10;

/** Where a stretch lies in the window, as shares of its width; null when it lies outside. */
export function placeIn(
  { fromUs, toUs }: TimeWindow,
  startUs: number,
  endUs: number,
): { left: number; width: number } | null {
  if (endUs < fromUs || startUs > toUs) return null;
  const lengthUs = toUs - fromUs;
  const left = Math.max(0, (startUs - fromUs) / lengthUs);
  return { left, width: Math.min(1, (endUs - fromUs) / lengthUs) - left };
}

/** The window between two shares of its width, in whichever order they come. */
export function narrow({ fromUs, toUs }: TimeWindow, one: number, other: number): TimeWindow {
  const at = (share: number) => fromUs + Math.min(1, Math.max(0, share)) * (toUs - fromUs);
  const [start, end] = [at(Math.min(one, other)), at(Math.max(one, other))];
  return { fromUs: start, toUs: Math.max(end, start + WINDOW_US_MIN) };
}

/** Half as long or twice as long, around its middle, within the trace. */
export function zoom({ fromUs, toUs }: TimeWindow, factor: number, durationUs: number): TimeWindow {
  const length = Math.min(durationUs, Math.max(WINDOW_US_MIN, (toUs - fromUs) * factor));
  const start = Math.min(Math.max(0, (fromUs + toUs - length) / 2), durationUs - length);
  return { fromUs: start, toUs: start + length };
}

/** Round moments for the axis, at most `max`. */
export function ticksOf({ fromUs, toUs }: TimeWindow, max: number): readonly number[] {
  const rough = (toUs - fromUs) / max;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? rough;
  const first = Math.ceil(fromUs / step);
  return Array.from({ length: Math.floor(toUs / step) - first + 1 }, (_, index) => (first + index) * step);
}
