'use client';

import { useSyncExternalStore } from 'react';
import { formatAge, formatAgo, formatDateTime, formatUntil } from './format-time.ts';

/**
 * When something happened, relative to now and kept up to date; the exact time in the reader's zone is its title.
 * `now` is the server's clock at the time of rendering, so that both sides render the same at first.
 */
export function RelativeTime({
  at,
  now,
  variant = 'long',
  className,
}: {
  /** Milliseconds since the epoch. */
  at: number;
  now: number;
  /** `words`: 3 days ago; `short`: 3d. */
  variant?: 'long' | 'short';
  className?: string;
}) {
  const current = useNow(now);
  const timeZone = useTimeZone();
  const shown = Math.max(current, now);
  const words = formatAgo(at, shown);
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={`${words}, ${formatDateTime(at, timeZone)}`}
      className={className}
    >
      {variant === 'long' ? words : formatAge(at, shown)}
    </time>
  );
}

/** When something is to happen: `in 58 minutes`; the exact time in the reader's zone is its title. */
export function TimeUntil({ at, now }: { at: number; now: number }) {
  const current = useNow(now);
  const timeZone = useTimeZone();
  return (
    <time dateTime={new Date(at).toISOString()} title={formatDateTime(at, timeZone)}>
      {formatUntil(at, Math.max(current, now))}
    </time>
  );
}

/** The exact time in the reader's zone. */
export function ExactTime({ at, className }: { at: number; className?: string }) {
  const timeZone = useTimeZone();
  return (
    <time dateTime={new Date(at).toISOString()} className={className}>
      {formatDateTime(at, timeZone)}
    </time>
  );
}

/** The reader's IANA time zone; UTC while the server renders. */
export function useTimeZone(): string {
  return useSyncExternalStore(neverChanges, browserTimeZone, () => 'UTC');
}

const TICK_MS = 10_000;
const listeners = new Set<() => void>();
let tick = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** The clock in steps of ten seconds, one timer for the whole page. */
function useNow(serverNow: number): number {
  const ticked = useSyncExternalStore(
    subscribeToClock,
    () => tick,
    () => 0,
  );
  return ticked === 0 ? serverNow : ticked;
}

function subscribeToClock(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    tick = Date.now();
    for (const each of listeners) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
      tick = 0;
    }
  };
}

const neverChanges = () => () => {};
const browserTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
