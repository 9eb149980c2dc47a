'use client';

import { useActionState } from 'react';
import { TextField } from '#ui/field.tsx';
import { SubmitButton } from '#ui/submit-button.tsx';
import { createKeyAction, type NewKeyState } from './key-actions.ts';

const INITIAL: NewKeyState = { label: '', error: null };

export function NewKeyForm({ orgSlug, projectSlug }: { orgSlug: string; projectSlug: string }) {
  const [state, action] = useActionState(createKeyAction.bind(null, orgSlug, projectSlug), INITIAL);
  return (
    <form action={action} className="flex flex-wrap items-start gap-3">
      <TextField
        id="label"
        name="label"
        label="Label of a new key"
        hint="For example the app, the team or the place that uses it."
        placeholder="Mobile app"
        defaultValue={state.label}
        error={state.error}
        maxLength={64}
        autoComplete="off"
        className="min-w-0 flex-1 basis-64"
        required
      />
      <SubmitButton pendingLabel="Creating…" className="h-9 sm:mt-[26px]">
        Create key
      </SubmitButton>
    </form>
  );
}
