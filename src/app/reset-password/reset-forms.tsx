'use client';

import { useActionState } from 'react';
import { NewPasswordField, RevokesTokensField } from '#app/(account)/new-password-fields.tsx';
import { TextField } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { SubmitButton } from '#ui/submit-button.tsx';
import { TextLink } from '#ui/text-link.tsx';
import {
  type RequestResetState,
  type ResetState,
  requestResetAction,
  resetPasswordAction,
} from './actions.ts';

const INITIAL: RequestResetState = { email: '', error: null, isSent: false };

export function RequestResetForm() {
  const [state, action] = useActionState(requestResetAction, INITIAL);
  if (state.isSent) {
    return (
      <Notice tone="success" title="Check your email">
        If there is an account for <bdi>{state.email}</bdi>, you will get an email with a link that works for
        an hour. Nothing after a few minutes? Check your spam folder, or ask your administrator.
      </Notice>
    );
  }
  return (
    <form action={action} className="flex flex-col gap-4">
      <TextField
        key={state.email}
        id="email"
        name="email"
        type="email"
        label="Email"
        autoComplete="username"
        defaultValue={state.email}
        error={state.error}
        autoFocus
        required
      />
      <SubmitButton pendingLabel="Sending…" size="lg" className="mt-1 w-full">
        Email me a link
      </SubmitButton>
      <TextLink href="/login" className="text-sm decoration-from-font">
        Back to the sign-in page
      </TextLink>
    </form>
  );
}

const UNCHANGED: ResetState = { error: null };

export function ResetPasswordForm({ token, charsMin }: { token: string; charsMin: number }) {
  const [state, action] = useActionState(resetPasswordAction, UNCHANGED);
  return (
    <form action={action} className="flex flex-col gap-4">
      <input type="hidden" name="token" value={token} />
      <NewPasswordField charsMin={charsMin} error={state.error} minLength={charsMin} autoFocus />
      <TextField
        id="repeated"
        name="repeated"
        type="password"
        label="Confirm new password"
        autoComplete="new-password"
        required
      />
      <RevokesTokensField
        label="Also revoke my personal tokens and connected apps"
        help="Clear this only if you forgot your password and no one else knew it."
        isDefault
      />
      <SubmitButton pendingLabel="Changing the password…" size="lg" className="mt-1 w-full">
        Change password
      </SubmitButton>
    </form>
  );
}
