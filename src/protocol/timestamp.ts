/** The end of the year 9999. */
const TIMESTAMP_SECONDS_MAX = 253_402_300_799;
/** From here on a number counts milliseconds: as seconds it would lie beyond the year 5000. */
const MILLISECONDS_FROM = 100_000_000_000;

const RFC3339 =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(\.\d{1,12})?)? ?(?:([Zz]|UTC)|([+-])(\d{2}):?(\d{2}))?)?$/;
const DECIMAL = /^\d{1,15}(?:\.\d{1,12})?$/;

/**
 * Reads a point in time as SDKs send it: RFC 3339 (UTC when no zone is given), or seconds since the epoch as a
 * number or as text. Gives seconds since the Unix epoch, to the microsecond; null when it is none, or lies
 * outside the years 1970 to 9999.
 */
export function parseTimestamp(value: unknown): number | null {
  if (typeof value === 'number') return secondsOfNumber(value);
  if (typeof value !== 'string') return null;
  const text = value.trim();
  return DECIMAL.test(text) ? secondsOfNumber(Number(text)) : secondsOfText(text);
}

function secondsOfNumber(value: number): number | null {
  const seconds = value >= MILLISECONDS_FROM ? value / 1000 : value;
  if (!(seconds >= 0 && seconds <= TIMESTAMP_SECONDS_MAX)) return null;
  return toMicroseconds(seconds);
}

function secondsOfText(text: string): number | null {
  const match = RFC3339.exec(text);
  if (match === null) return null;
  const [
    ,
    year,
    month,
    day,
    hour = '0',
    minute = '0',
    second = '0',
    fraction,
    ,
    sign,
    zoneHours,
    zoneMinutes,
  ] = match;
  const utcMs = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    // A leap second has no number of its own in Unix time.
    Math.min(Number(second), 59),
  );
  const date = new Date(utcMs);
  if (date.getUTCDate() !== Number(day) || date.getUTCHours() !== Number(hour)) return null;
  const zoneSeconds = sign === undefined ? 0 : (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60;
  const seconds = utcMs / 1000 - (sign === '-' ? -zoneSeconds : zoneSeconds);
  return seconds < 0 ? null : toMicroseconds(seconds + Number(`0${fraction ?? ''}`));
}

/** Seconds, rounded. */
export const toMicroseconds = (seconds: number): number => Math.round(seconds * 1_000_000) / 1_000_000;
