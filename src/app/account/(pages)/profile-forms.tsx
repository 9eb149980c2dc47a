'use client';

import { useActionState, useState } from 'react';
import { CurrentPassword, FormDone, UNTOUCHED } from '#app/account/form-state.tsx';
import { THEME_COOKIE } from '#app/request-names.ts';
import { keepCookie } from '#app/shell/keep-cookie.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import { TextField } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { SubmitButton } from '#ui/submit-button.tsx';
import { changeEmailAction, renameAction } from './actions.ts';

/** The address changes when the link is opened that goes to it. */
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
  const errorOf = (field: string) => (state.field === field ? state.error : null);
  return (
    <form action={action} className="flex flex-col items-start gap-4">
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
        error={errorOf('email')}
        autoComplete="email"
        className="w-full max-w-96"
        required
      />
      {asksPassword ? <CurrentPassword id="email-password" error={errorOf('currentPassword')} /> : null}
      {state.error && state.field === null ? <Notice tone="danger">{state.error}</Notice> : null}
      {state.done ? (
        <div className="w-full">
          <Notice tone={state.link ? 'warning' : 'success'}>
            {state.done}
            {state.link ? <LinkToOpen link={state.link} /> : null}
          </Notice>
        </div>
      ) : null}
      <SubmitButton pendingLabel="Changing…" variant="secondary">
        Change address
      </SubmitButton>
    </form>
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

export function NameForm({ name }: { name: string }) {
  const [state, action] = useActionState(renameAction, { ...UNTOUCHED, name });
  return (
    <form action={action} className="flex flex-col items-start gap-4">
      <TextField
        key={state.name}
        id="name"
        name="name"
        label="Your name"
        defaultValue={state.name}
        error={state.error}
        maxLength={100}
        autoComplete="name"
        className="w-full max-w-96"
        required
      />
      <FormDone text={state.done} />
      <SubmitButton pendingLabel="Saving…" variant="secondary">
        Save name
      </SubmitButton>
    </form>
  );
}

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
