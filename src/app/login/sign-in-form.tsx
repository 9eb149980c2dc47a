'use client';

import { useActionState, useEffect } from 'react';
import { TextField } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { SubmitButton } from '#ui/submit-button.tsx';
import { type SignInState, signInAction } from './sign-in-action.ts';

const INITIAL: SignInState = { email: '', error: null };

export function SignInForm({ next }: { next: string }) {
  const [state, action] = useActionState(signInAction, INITIAL);
  useEffect(() => {
    if (state.error) document.getElementById('password')?.focus();
  }, [state]);

  return (
    <form action={action} className="flex flex-col gap-4">
      {state.error ? <Notice tone="danger">{state.error}</Notice> : null}
      <input type="hidden" name="next" value={next} />
      <TextField
        key={state.email}
        id="email"
        name="email"
        type="email"
        label="E-mail"
        autoComplete="username webauthn"
        defaultValue={state.email}
        autoFocus
        required
      />
      <TextField
        id="password"
        name="password"
        type="password"
        label="Password"
        autoComplete="current-password"
        required
      />
      <SubmitButton pendingLabel="Signing in…" size="lg" className="mt-1 w-full">
        Sign in
      </SubmitButton>
    </form>
  );
}
