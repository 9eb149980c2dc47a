'use client';

import { useActionState, useRef } from 'react';
import { NewPasswordField } from '#app/(account)/new-password-fields.tsx';
import { TextField } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { SubmitButton } from '#ui/submit-button.tsx';
import { useFocusFirstInvalid } from '#ui/use-focus-first-invalid.ts';
import { acceptAction, type JoinState, joinAction } from './invitation-actions.ts';

const INITIAL: JoinState = { name: '', error: null };

export function NewAccountForm({
  token,
  email,
  passwordCharsMin,
}: {
  token: string;
  email: string;
  passwordCharsMin: number;
}) {
  const [state, join] = useActionState(joinAction.bind(null, token), INITIAL);
  const ref = useRef<HTMLFormElement>(null);
  useFocusFirstInvalid(ref, state);
  const errorOf = (field: string) => (state.error?.field === field ? state.error.message : null);
  const isOfField = ['name', 'password'].includes(state.error?.field ?? '');
  return (
    <form ref={ref} action={join} className="flex flex-col gap-4">
      {state.error && !isOfField ? <Notice tone="danger">{state.error.message}</Notice> : null}
      {/* Password managers keep the two together. */}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <TextField
        key={state.name}
        id="name"
        name="name"
        label="Your name"
        autoComplete="name"
        defaultValue={state.name}
        error={errorOf('name')}
        maxLength={100}
        autoFocus
        required
      />
      <NewPasswordField label="Password" charsMin={passwordCharsMin} error={errorOf('password')} />
      <SubmitButton pendingLabel="Joining…" size="lg" className="mt-1 w-full">
        Create account and join
      </SubmitButton>
    </form>
  );
}

export function AcceptForm({ token }: { token: string }) {
  const [error, accept] = useActionState(acceptAction.bind(null, token), null);
  return (
    <form action={accept} className="flex flex-col gap-4">
      {error ? <Notice tone="danger">{error}</Notice> : null}
      <SubmitButton pendingLabel="Joining…" size="lg" className="w-full">
        Join
      </SubmitButton>
    </form>
  );
}
