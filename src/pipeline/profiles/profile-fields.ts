import { cutText, toSafeText } from '../normalize/safe-text.ts';

const TEXT_CHARS_MAX = 250;
const PLATFORM = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** Trimmed, cut and storable; null when it is no text, or empty. */
export function textOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  return toSafeText(cutText(value.trim(), TEXT_CHARS_MAX)) || null;
}

/** Lower-case; null when it is no platform's name. */
export function platformOf(value: unknown): string | null {
  const name = textOf(value)?.toLowerCase() ?? '';
  return PLATFORM.test(name) ? name : null;
}

/** A count of nanoseconds, also written as text, in milliseconds; null for anything else. */
export function millisecondsOfNanos(value: unknown): number | null {
  const nanoseconds = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof nanoseconds === 'number' && Number.isFinite(nanoseconds) && nanoseconds >= 0
    ? nanoseconds / 1_000_000
    : null;
}

/** Whether the format's version is this one; SDKs send it as text or as a number. */
export const isVersion = (value: unknown, version: number): boolean =>
  value === version || value === String(version);
