'use client';

import { useActionState } from 'react';
import { NewPasswordField, RevokesTokensField } from '#app/(account)/new-password-fields.tsx';
import { delegatedLabel } from '#app/(account)/sso-labels.ts';
import { AccountForm, CurrentPassword, errorOf, UNTOUCHED } from '#app/account/form-state.tsx';
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
      <NewPasswordField
        id="password-new"
        charsMin={charsMin}
        error={errorOf(state, 'password')}
        minLength={charsMin}
        className="w-full max-w-96"
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
        <RevokesTokensField
          label={`Also revoke my ${revocable}`}
          help="Otherwise they keep working. Select this if someone else may know your password."
          isDefault={false}
        />
      )}
    </AccountForm>
  );
}
