'use client';

import {
  KeyRound,
  LogOut,
  Monitor,
  MonitorSmartphone,
  Moon,
  ShieldCheck,
  Sun,
  UserRound,
} from 'lucide-react';
import { useSyncExternalStore, useTransition } from 'react';
import { Avatar } from '#ui/avatar.tsx';
import { cx } from '#ui/cx.ts';
import { Menu, MenuItem, MenuLink, MenuRadioGroup, MenuSeparator, MenuText } from '#ui/menu.tsx';
import { signOutAction } from '../(account)/sign-out.ts';
import { applyTheme, currentTheme, subscribeToTheme, type Theme } from './keep-cookie.ts';

const THEMES = [
  { value: 'system', label: 'System', icon: <Monitor aria-hidden /> },
  { value: 'light', label: 'Light', icon: <Sun aria-hidden /> },
  { value: 'dark', label: 'Dark', icon: <Moon aria-hidden /> },
] as const;

const ACCOUNT_PAGES = [
  { href: '/account', label: 'Account', icon: <UserRound aria-hidden /> },
  { href: '/account/security', label: 'Security', icon: <ShieldCheck aria-hidden /> },
  { href: '/account/sessions', label: 'Sessions', icon: <MonitorSmartphone aria-hidden /> },
  { href: '/account/tokens', label: 'Tokens', icon: <KeyRound aria-hidden /> },
] as const;

/** Who is signed in, the pages of the account, the theme, and signing out. */
export function UserMenu({
  user,
  theme: initialTheme,
  placement,
  labelClass,
}: {
  user: { name: string; email: string };
  theme: Theme;
  placement: 'side' | 'top';
  labelClass: string;
}) {
  const theme = useSyncExternalStore<Theme>(subscribeToTheme, currentTheme, () => initialTheme);
  const [isSigningOut, startSigningOut] = useTransition();

  return (
    <Menu
      side={placement === 'side' ? 'top' : 'bottom'}
      align={placement === 'side' ? 'start' : 'end'}
      trigger={
        <button
          type="button"
          aria-label={`Account of ${user.name}`}
          className={cx(
            'flex min-w-0 items-center gap-2.5 rounded-md text-left text-sm text-text hover:bg-surface-pressed data-popup-open:bg-surface-pressed',
            placement === 'side' ? 'h-10 w-full px-2' : 'size-9 justify-center',
          )}
        >
          <Avatar name={user.name} />
          <bdi className={cx('min-w-0 flex-1 truncate', labelClass)}>{user.name}</bdi>
        </button>
      }
    >
      <MenuText>
        <bdi className="block truncate font-medium text-sm text-text">{user.name}</bdi>
        <bdi className="block truncate">{user.email}</bdi>
      </MenuText>
      <MenuSeparator />
      {ACCOUNT_PAGES.map((page) => (
        <MenuLink key={page.href} href={page.href} icon={page.icon}>
          {page.label}
        </MenuLink>
      ))}
      <MenuSeparator />
      <MenuRadioGroup label="Theme" value={theme} onValueChange={applyTheme} options={THEMES} />
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
