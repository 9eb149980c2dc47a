'use client';

import { useActionState } from 'react';
import { Checkbox } from '#ui/checkbox.tsx';
import { Field, TextField } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { Select } from '#ui/select.tsx';
import { SubmitButton } from '#ui/submit-button.tsx';
import { type InviteState, inviteAction } from './member-actions.ts';
import type { RoleChoice } from './role-words.ts';
import { SentNotice } from './sent-notice.tsx';

const INITIAL: InviteState = { email: '', error: null, sent: null };

/** Asks somebody to join. */
export function InviteForm({
  orgSlug,
  roles,
  teams,
}: {
  orgSlug: string;
  /** Those that whoever asks may give, fewest rights first. */
  roles: readonly RoleChoice[];
  teams: readonly { slug: string; name: string }[];
}) {
  const [state, invite] = useActionState(inviteAction.bind(null, orgSlug), INITIAL);
  const fieldError = state.error?.field === 'email' ? state.error.message : null;
  return (
    <form action={invite} className="flex flex-col gap-4">
      <div className="flex flex-wrap items-start gap-3">
        <TextField
          key={state.sent?.url ?? state.email}
          id="invite-email"
          name="email"
          type="email"
          label="E-mail"
          placeholder="ana@example.com"
          defaultValue={state.email}
          error={fieldError}
          autoComplete="off"
          className="min-w-0 flex-1 basis-60"
          required
        />
        <Field id="invite-role" label="Role" className="w-full sm:w-44">
          <Select
            id="invite-role"
            name="role"
            look="field"
            options={roles}
            defaultValue={roles.find(({ value }) => value === 'member')?.value ?? roles[0]?.value}
          />
        </Field>
        <SubmitButton pendingLabel="Inviting…" className="h-9 sm:mt-[26px]">
          Invite
        </SubmitButton>
      </div>
      {teams.length > 0 ? (
        <fieldset>
          <legend className="mb-1.5 font-medium text-sm">Teams</legend>
          <div className="flex max-h-40 flex-wrap gap-x-5 gap-y-2 overflow-y-auto">
            {teams.map(({ slug, name }) => (
              <span key={slug} className="flex min-w-0 items-center gap-2 text-sm">
                <Checkbox id={`invite-team-${slug}`} name="teams" value={slug} />
                <label htmlFor={`invite-team-${slug}`} className="truncate">
                  <bdi>{name}</bdi>
                </label>
              </span>
            ))}
          </div>
        </fieldset>
      ) : null}
      {state.error && !fieldError ? <Notice tone="danger">{state.error.message}</Notice> : null}
      {state.sent ? <SentNotice sent={state.sent} /> : null}
    </form>
  );
}
