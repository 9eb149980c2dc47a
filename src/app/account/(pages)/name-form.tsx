'use client';

import { useActionState } from 'react';
import { UNTOUCHED } from '#app/account/form-state.ts';
import { TextField } from '#ui/field.tsx';
import { SubmitButton } from '#ui/submit-button.tsx';
import { FormDone } from './form-done.tsx';
import { renameAction } from './profile-actions.ts';

export function NameForm({ name }: { name: string }) {
  const [state, action] = useActionState(renameAction, { ...UNTOUCHED, name });
  return (
    <form action={action} className="flex flex-col items-start gap-4">
      <TextField
        key={state.name}
        id="name"
        name="name"
        label="Your name"
        defaultValue={state.name}
        error={state.error}
        maxLength={100}
        autoComplete="name"
        className="w-full max-w-96"
        required
      />
      <FormDone text={state.done} />
      <SubmitButton pendingLabel="Saving…" variant="secondary">
        Save name
      </SubmitButton>
    </form>
  );
}
