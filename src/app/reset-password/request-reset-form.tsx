'use client';

import { useActionState } from 'react';
import { TextField } from '#ui/field.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { Notice } from '#ui/notice.tsx';
import { SubmitButton } from '#ui/submit-button.tsx';
import { type RequestResetState, requestResetAction } from './request-reset-action.ts';

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
