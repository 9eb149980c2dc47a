/** Milliseconds since the epoch as ISO 8601. */
export const isoOfMs = (ms: number): string => new Date(ms).toISOString();

/** Milliseconds since the epoch, or null, as ISO 8601. */
export const isoOfMsOrNull = (ms: number | null): string | null => (ms === null ? null : isoOfMs(ms));

/** Microseconds since the epoch as ISO 8601 with all six digits. */
export const isoOfUs = (us: number): string =>
  `${new Date(Math.floor(us / 1_000)).toISOString().slice(0, -1)}${String(us % 1_000).padStart(3, '0')}Z`;

/** Microseconds since the epoch as seconds, the way that Sentry writes the times of spans. */
export const secondsOfUs = (us: number): number => us / 1_000_000;
