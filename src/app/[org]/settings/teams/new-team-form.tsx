'use client';

import { useActionState } from 'react';
import { TextField } from '#ui/field.tsx';
import { SubmitButton } from '#ui/submit-button.tsx';
import { createTeamAction, type NewTeamState } from './team-actions.ts';

const INITIAL: NewTeamState = { name: '', error: null };

export function NewTeamForm({ orgSlug }: { orgSlug: string }) {
  const [state, action] = useActionState(createTeamAction.bind(null, orgSlug), INITIAL);
  return (
    <form action={action} className="flex flex-wrap items-start gap-3">
      <TextField
        id="team-name"
        name="name"
        label="Name of a new team"
        hint="Its short name, for #mentions and rules, is made of it."
        placeholder="Payments"
        defaultValue={state.name}
        error={state.error}
        maxLength={64}
        autoComplete="off"
        className="min-w-0 flex-1 basis-64"
        required
      />
      <SubmitButton pendingLabel="Creating…" className="h-9 sm:mt-[26px]">
        Create team
      </SubmitButton>
    </form>
  );
}
