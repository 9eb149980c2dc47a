'use client';

import { useActionState, useEffect, useState } from 'react';
import { NewSlugFields } from '#app/new-slug-fields.tsx';
import { Notice } from '#ui/notice.tsx';
import { SubmitButton } from '#ui/submit-button.tsx';
import { PlatformPicker } from '../platform-picker.tsx';
import { createProjectAction, type NewProjectState } from './create-project-action.ts';

const INITIAL: NewProjectState = { field: null, error: null };

export function NewProjectForm({ orgSlug }: { orgSlug: string }) {
  const [state, action] = useActionState(createProjectAction.bind(null, orgSlug), INITIAL);
  const [platform, setPlatform] = useState('javascript');
  const errorOf = (field: NewProjectState['field']) => (state.field === field ? state.error : null);
  useEffect(() => {
    if (state.field) document.getElementById(state.field)?.focus();
  }, [state]);

  return (
    <form
      action={action}
      // The framework resets the form after each try; what was chosen must stay.
      onReset={(event) => event.preventDefault()}
      className="flex flex-col gap-6"
    >
      {state.error && state.field === null ? <Notice tone="danger">{state.error}</Notice> : null}
      <PlatformPicker name="platform" value={platform} onValueChange={setPlatform} />
      {state.field === 'platform' ? <Notice tone="danger">{state.error}</Notice> : null}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <NewSlugFields
          name={{
            id: 'name',
            label: 'Name',
            placeholder: 'Web shop',
            error: errorOf('name'),
            maxLength: 200,
            required: true,
          }}
          slug={{
            id: 'slug',
            label: 'Slug',
            hint: 'Used in URLs and issue IDs. You can change it later. Existing issues keep their IDs.',
            error: errorOf('slug'),
          }}
        />
      </div>
      <div className="flex items-center gap-3 border-t pt-4">
        <SubmitButton pendingLabel="Creating…">Create project</SubmitButton>
        <p className="text-sm text-text-muted">Next, you’ll get the DSN and setup code.</p>
      </div>
    </form>
  );
}
