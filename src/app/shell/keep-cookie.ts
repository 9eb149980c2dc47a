import { THEME_COOKIE, YEAR_SECONDS } from '../request-names.ts';

/** Keeps a preference of this browser for a year; an empty value forgets it. */
export function keepCookie(name: string, value: string): void {
  const age = value === '' ? 0 : YEAR_SECONDS;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain http
  document.cookie = `${name}=${encodeURIComponent(value)}; path=/; max-age=${age}; samesite=lax`;
}

export type Theme = 'system' | 'light' | 'dark';

const listeners = new Set<() => void>();

/** Shows the theme now and keeps it in this browser. */
export function applyTheme(theme: Theme): void {
  keepCookie(THEME_COOKIE, theme === 'system' ? '' : theme);
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  for (const each of listeners) each();
}

/** The theme of this page as it is now. */
export function currentTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

export function subscribeToTheme(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
