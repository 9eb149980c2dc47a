'use client';

import { useActionState, useRef } from 'react';
import { NewSlugFields } from '#app/new-slug-fields.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { Notice } from '#ui/notice.tsx';
import { SubmitButton } from '#ui/submit-button.tsx';
import { useFocusFirstInvalid } from '#ui/use-focus-first-invalid.ts';
import { createOrganizationAction, type NewOrganizationState } from './create-organization-action.ts';

const INITIAL: NewOrganizationState = { error: null, field: null };

export function NewOrganizationForm() {
  const [state, action] = useActionState(createOrganizationAction, INITIAL);
  const form = useRef<HTMLFormElement>(null);
  useFocusFirstInvalid(form, state);
  const errorOf = (field: NewOrganizationState['field']) => (state.field === field ? state.error : null);
  return (
    <form
      ref={form}
      action={action}
      noValidate
      // The framework resets the form after each try; what was typed must stay.
      onReset={(event) => event.preventDefault()}
      className="flex flex-col gap-5"
    >
      {state.error && state.field === null ? <Notice tone="danger">{state.error}</Notice> : null}
      <NewSlugFields
        name={{
          id: 'name',
          label: 'Organization name',
          placeholder: 'Acme',
          autoComplete: 'organization',
          error: errorOf('name'),
          maxLength: 100,
          required: true,
        }}
        slug={{
          id: 'slug',
          label: 'Organization slug',
          placeholder: 'acme',
          hint: 'Part of its URLs. Lowercase letters, digits, "-" and "_".',
          error: errorOf('slug'),
        }}
      />
      <div className="flex justify-end gap-2">
        <ButtonLink href="/">Cancel</ButtonLink>
        <SubmitButton pendingLabel="Creating…">Create organization</SubmitButton>
      </div>
    </form>
  );
}
