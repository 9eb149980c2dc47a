'use client';

import { useActionState, useState } from 'react';
import { Checkbox } from '#ui/checkbox.tsx';
import { TextField } from '#ui/field.tsx';
import { SubmitButton } from '#ui/submit-button.tsx';
import { type ResetState, resetPasswordAction } from './reset-password-action.ts';

const INITIAL: ResetState = { error: null };

export function ResetPasswordForm({ token, charsMin }: { token: string; charsMin: number }) {
  const [state, action] = useActionState(resetPasswordAction, INITIAL);
  // A form that was refused is emptied; the choice must outlast that.
  const [revokesTokens, setRevokesTokens] = useState(true);
  return (
    <form action={action} className="flex flex-col gap-4">
      <input type="hidden" name="token" value={token} />
      <TextField
        id="password"
        name="password"
        type="password"
        label="New password"
        hint={`${charsMin} characters or more. Four unrelated words are good.`}
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
      <div className="flex items-start gap-2.5 text-sm">
        <Checkbox
          id="revokes-tokens"
          name="revokesTokens"
          defaultChecked={revokesTokens}
          onChange={(event) => setRevokesTokens(event.currentTarget.checked)}
        />
        <label htmlFor="revokes-tokens">
          Also revoke my personal tokens and connected programs
          <span className="block text-text-muted text-xs">
            Clear this only if you forgot your password and nobody else knew it.
          </span>
        </label>
      </div>
      <SubmitButton pendingLabel="Changing the password…" size="lg" className="mt-1 w-full">
        Change password
      </SubmitButton>
    </form>
  );
}
