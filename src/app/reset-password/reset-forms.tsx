'use client';

import { useActionState, useState } from 'react';
import { Checkbox } from '#ui/checkbox.tsx';
import { TextField } from '#ui/field.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { Notice } from '#ui/notice.tsx';
import { SubmitButton } from '#ui/submit-button.tsx';
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
      <Notice tone="success" title="Look into your mailbox">
        If somebody here has the address <bdi>{state.email}</bdi>, a mail is on its way. It opens for an hour.
        Nothing after a few minutes? Look among unwanted mail, or ask whoever runs this server.
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
        label="E-mail"
        autoComplete="username"
        defaultValue={state.email}
        error={state.error}
        autoFocus
        required
      />
      <SubmitButton pendingLabel="Asking…" size="lg" className="mt-1 w-full">
        Mail me an address
      </SubmitButton>
      <Link href="/login" className="text-accent text-sm underline decoration-from-font underline-offset-2">
        Back to the sign-in page
      </Link>
    </form>
  );
}

const UNCHANGED: ResetState = { error: null };

export function ResetPasswordForm({ token, charsMin }: { token: string; charsMin: number }) {
  const [state, action] = useActionState(resetPasswordAction, UNCHANGED);
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
