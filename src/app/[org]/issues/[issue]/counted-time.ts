import { type TimeRange, timeEntries } from '#app/url-state.ts';

/** As it stands in an address whose page would be of any time without it. */
export const countedTime = (time: TimeRange): Readonly<Record<string, string | null>> =>
  time.kind === 'last' ? { range: time.period } : timeEntries(time);
