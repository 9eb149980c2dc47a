'use client';

import { useState } from 'react';
import { THEME_COOKIE } from '#app/request-names.ts';
import { keepCookie } from '#app/shell/keep-cookie.ts';
import { Segmented } from '#ui/segmented.tsx';

type Theme = 'system' | 'light' | 'dark';

const THEMES = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

/** Kept in this browser. */
export function ThemeChoice({ theme: initialTheme }: { theme: Theme }) {
  const [theme, setTheme] = useState<Theme>(initialTheme);
  function choose(next: Theme) {
    keepCookie(THEME_COOKIE, next === 'system' ? '' : next);
    if (next === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    setTheme(next);
  }
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Segmented label="Theme" value={theme} options={THEMES} onValueChange={choose} />
      <p className="text-text-muted text-xs">In this browser.</p>
    </div>
  );
}
