'use client';

import { useActionState } from 'react';
import { UNTOUCHED } from '#app/account/form-state.ts';
import { TextField } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { SubmitButton } from '#ui/submit-button.tsx';
import { CurrentPassword } from '../current-password.tsx';
import { FormDone } from '../form-done.tsx';
import { changePasswordAction } from './security-actions.ts';

export function PasswordForm({
  hasPassword,
  email,
  charsMin,
}: {
  hasPassword: boolean;
  email: string;
  charsMin: number;
}) {
  const [state, action] = useActionState(changePasswordAction, UNTOUCHED);
  const errorOf = (field: string) => (state.field === field ? state.error : null);
  return (
    <form action={action} className="flex flex-col items-start gap-4">
      <p className="text-sm text-text-muted">
        {hasPassword
          ? 'A new password signs you out everywhere else.'
          : 'You have none: you sign in by single sign-on. With a password you can do without it.'}
      </p>
      {/* Password managers keep the new password for this name. */}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      {hasPassword ? <CurrentPassword id="password-current" error={errorOf('currentPassword')} /> : null}
      <TextField
        id="password-new"
        name="password"
        type="password"
        label="New password"
        hint={`${charsMin} characters or more.`}
        error={errorOf('password')}
        autoComplete="new-password"
        minLength={charsMin}
        className="w-full max-w-96"
        required
      />
      <TextField
        id="password-repeated"
        name="repeated"
        type="password"
        label="New password, again"
        error={errorOf('repeated')}
        autoComplete="new-password"
        className="w-full max-w-96"
        required
      />
      {state.error && state.field === null ? <Notice tone="danger">{state.error}</Notice> : null}
      <FormDone text={state.done} />
      <SubmitButton pendingLabel="Changing…" variant="secondary">
        {hasPassword ? 'Change password' : 'Set password'}
      </SubmitButton>
    </form>
  );
}
