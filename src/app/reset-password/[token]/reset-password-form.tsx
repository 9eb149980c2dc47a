'use client';

import { useActionState } from 'react';
import { TextField } from '#ui/field.tsx';
import { SubmitButton } from '#ui/submit-button.tsx';
import { type ResetState, resetPasswordAction } from './reset-password-action.ts';

const INITIAL: ResetState = { error: null };

export function ResetPasswordForm({ token, charsMin }: { token: string; charsMin: number }) {
  const [state, action] = useActionState(resetPasswordAction, INITIAL);
  return (
    <form action={action} className="flex flex-col gap-4">
      <input type="hidden" name="token" value={token} />
      <TextField
        id="password"
        name="password"
        type="password"
        label="New password"
        hint={`${charsMin} characters or more.`}
        error={state.error}
        autoComplete="new-password"
        minLength={charsMin}
        autoFocus
        required
      />
      <TextField
        id="repeated"
        name="repeated"
        type="password"
        label="New password, again"
        autoComplete="new-password"
        required
      />
      <SubmitButton pendingLabel="Changing the password…" size="lg" className="mt-1 w-full">
        Change password
      </SubmitButton>
    </form>
  );
}
