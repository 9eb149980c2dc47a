'use client';

import { useActionState } from 'react';
import { TextField } from '#ui/field.tsx';
import { SubmitButton } from '#ui/submit-button.tsx';

/** Of a form that makes something of a name: the name as typed, kept when it was refused. */
export type CreateState = { name: string; error: string | null };

const INITIAL: CreateState = { name: '', error: null };
const NAME_CHARACTERS_MAX = 64;

/** One field and a button: what is made appears in the list of the page. */
export function CreateForm({
  id,
  label,
  hint,
  placeholder,
  submitLabel,
  action,
}: {
  id: string;
  label: string;
  hint: string;
  placeholder: string;
  submitLabel: string;
  action: (previous: CreateState, form: FormData) => Promise<CreateState>;
}) {
  const [state, create] = useActionState(action, INITIAL);
  return (
    <form action={create} className="flex flex-wrap items-start gap-3">
      <TextField
        id={id}
        name="name"
        label={label}
        hint={hint}
        placeholder={placeholder}
        defaultValue={state.name}
        error={state.error}
        maxLength={NAME_CHARACTERS_MAX}
        autoComplete="off"
        className="min-w-0 flex-1 basis-64"
        required
      />
      <SubmitButton pendingLabel="Creating…" className="h-9 sm:mt-[26px]">
        {submitLabel}
      </SubmitButton>
    </form>
  );
}
