'use client';

import { useActionState, useState } from 'react';
import { AccountForm, CurrentPassword, errorOf, UNTOUCHED } from '#app/account/form-state.tsx';
import { THEME_COOKIE } from '#app/request-names.ts';
import { keepCookie } from '#app/shell/keep-cookie.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import { TextField } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { changeEmailAction } from './actions.ts';

/** The address changes once the link sent to it is opened. */
export function EmailForm({
  email,
  isTrusted,
  asksPassword,
}: {
  email: string;
  isTrusted: boolean;
  asksPassword: boolean;
}) {
  const [state, action] = useActionState(changeEmailAction, { ...UNTOUCHED, email: '', link: null });
  return (
    <AccountForm state={state} action={action} submitLabel="Change address" pendingLabel="Changing…">
      <p className="text-sm text-text-muted">
        You sign in with <bdi className="break-anything font-medium text-text">{email}</bdi>
        {isTrusted ? '.' : '. This address is not verified, so single sign-on does not match you by it.'}
      </p>
      <TextField
        key={state.email}
        id="email"
        name="email"
        type="email"
        label="New address"
        defaultValue={state.email}
        error={errorOf(state, 'email')}
        autoComplete="email"
        className="w-full max-w-96"
        required
      />
      <CurrentPassword id="email-password" isAsked={asksPassword} state={state} />
      {state.done ? (
        <div className="w-full">
          <Notice tone={state.link ? 'warning' : 'success'}>
            {state.done}
            {state.link ? <LinkToOpen link={state.link} /> : null}
          </Notice>
        </div>
      ) : null}
    </AccountForm>
  );
}

function LinkToOpen({ link }: { link: string }) {
  return (
    <span className="mt-1 block">
      Open this link within a day. It works once:{' '}
      <a href={link} className="mono break-anything text-accent text-xs underline">
        {link}
      </a>
      <CopyButton text={link} label="Copy the link" />
    </span>
  );
}

type Theme = 'system' | 'light' | 'dark';

const THEMES = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

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
