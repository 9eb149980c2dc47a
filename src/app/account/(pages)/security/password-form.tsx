'use client';

import { useActionState, useState } from 'react';
import { delegatedLabel } from '#app/(account)/sso-labels.ts';
import { AccountForm, CurrentPassword, errorOf, UNTOUCHED } from '#app/account/form-state.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { TextField } from '#ui/field.tsx';
import { changePasswordAction } from './security-actions.ts';

export function PasswordForm({
  hasPassword,
  email,
  charsMin,
  delegated,
}: {
  hasPassword: boolean;
  email: string;
  charsMin: number;
  /** What goes on with the old password unless it is revoked. */
  delegated: { tokens: number; programs: number };
}) {
  const [state, action] = useActionState(changePasswordAction, UNTOUCHED);
  // A form that was refused is emptied; the choice must outlast that.
  const [revokesTokens, setRevokesTokens] = useState(false);
  const revocable = delegatedLabel(delegated);
  return (
    <AccountForm
      state={state}
      action={action}
      submitLabel={hasPassword ? 'Change password' : 'Set password'}
      pendingLabel="Changing…"
      done={state.done}
    >
      <p className="text-sm text-text-muted">
        {hasPassword
          ? 'Changing your password signs you out everywhere else.'
          : 'You do not have a password because you use single sign-on. Set one to sign in without it.'}
      </p>
      {/* Password managers keep the new password for this name. */}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <CurrentPassword id="password-current" isAsked={hasPassword} state={state} />
      <TextField
        id="password-new"
        name="password"
        type="password"
        label="New password"
        hint={`At least ${charsMin} characters. Four unrelated words work well.`}
        error={errorOf(state, 'password')}
        autoComplete="new-password"
        minLength={charsMin}
        className="w-full max-w-96"
        required
      />
      <TextField
        id="password-repeated"
        name="repeated"
        type="password"
        label="Confirm new password"
        error={errorOf(state, 'repeated')}
        autoComplete="new-password"
        className="w-full max-w-96"
        required
      />
      {revocable === '' ? null : (
        <div className="flex items-start gap-2.5 text-sm">
          <Checkbox
            id="revokes-tokens"
            name="revokesTokens"
            defaultChecked={revokesTokens}
            onChange={(event) => setRevokesTokens(event.currentTarget.checked)}
          />
          <label htmlFor="revokes-tokens">
            Also revoke my {revocable}
            <span className="block text-text-muted text-xs">
              Otherwise they keep working. Select this if someone else may know your password.
            </span>
          </label>
        </div>
      )}
    </AccountForm>
  );
}
