'use client';

import { LogOut, Monitor, Moon, Sun } from 'lucide-react';
import { useState, useTransition } from 'react';
import { Avatar } from '#ui/avatar.tsx';
import { cx } from '#ui/cx.ts';
import { Menu, MenuItem, MenuRadioGroup, MenuSeparator, MenuText } from '#ui/menu.tsx';
import { signOutAction } from '../(account)/sign-out.ts';
import { THEME_COOKIE } from '../request-names.ts';
import { keepCookie } from './keep-cookie.ts';

export type Theme = 'system' | 'light' | 'dark';

const THEMES = [
  { value: 'system', label: 'System', icon: <Monitor aria-hidden /> },
  { value: 'light', label: 'Light', icon: <Sun aria-hidden /> },
  { value: 'dark', label: 'Dark', icon: <Moon aria-hidden /> },
] as const;

/** Who is signed in, the theme, and signing out. */
export function UserMenu({
  user,
  theme: initialTheme,
  look,
  wordsClass,
}: {
  user: { name: string; email: string };
  theme: Theme;
  look: 'side' | 'top';
  wordsClass: string;
}) {
  const [theme, setTheme] = useState(initialTheme);
  const [isSigningOut, startSigningOut] = useTransition();

  function chooseTheme(next: Theme) {
    keepCookie(THEME_COOKIE, next === 'system' ? '' : next);
    if (next === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    setTheme(next);
  }

  return (
    <Menu
      side={look === 'side' ? 'top' : 'bottom'}
      align={look === 'side' ? 'start' : 'end'}
      trigger={
        <button
          type="button"
          aria-label={`Account of ${user.name}`}
          className={cx(
            'flex min-w-0 items-center gap-2.5 rounded-md text-left text-sm text-text hover:bg-surface-pressed data-popup-open:bg-surface-pressed',
            look === 'side' ? 'h-10 w-full px-2' : 'size-9 justify-center',
          )}
        >
          <Avatar name={user.name} />
          <bdi className={cx('min-w-0 flex-1 truncate', wordsClass)}>{user.name}</bdi>
        </button>
      }
    >
      <MenuText>
        <bdi className="block truncate font-medium text-sm text-text">{user.name}</bdi>
        <bdi className="block truncate">{user.email}</bdi>
      </MenuText>
      <MenuSeparator />
      <MenuRadioGroup label="Theme" value={theme} onValueChange={chooseTheme} options={THEMES} />
      <MenuSeparator />
      <MenuItem
        icon={<LogOut aria-hidden />}
        disabled={isSigningOut}
        onSelect={() => startSigningOut(() => signOutAction())}
      >
        Sign out
      </MenuItem>
    </Menu>
  );
}
