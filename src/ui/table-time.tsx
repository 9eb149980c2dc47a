'use client';

import { formatDateTime, formatTableTime } from './format-time.ts';
import { useTimeZone } from './relative-time.tsx';

/** The exact time in a table: the heading names the zone once, with `TimeZoneName`. */
export function TableTime({ at, className }: { at: number; className?: string }) {
  const timeZone = useTimeZone();
  return (
    <time dateTime={new Date(at).toISOString()} title={formatDateTime(at, timeZone)} className={className}>
      {formatTableTime(at, timeZone)}
    </time>
  );
}

/** `Europe/Berlin`: the reader's zone, for the heading of times that do not repeat it. */
export function TimeZoneName({ className }: { className?: string }) {
  return <span className={className}>{useTimeZone().replaceAll('_', ' ')}</span>;
}
