import { YEAR_SECONDS } from '../request-names.ts';

/** Keeps a preference of this browser for a year; an empty value forgets it. */
export function keepCookie(name: string, value: string): void {
  const age = value === '' ? 0 : YEAR_SECONDS;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain http
  document.cookie = `${name}=${encodeURIComponent(value)}; path=/; max-age=${age}; samesite=lax`;
}
