'use client';

import { useActionState, useEffect, useRef } from 'react';
import { RETENTION_GROUPS, type RetentionDays } from '#protocol/retention.ts';
import { TextField } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { SubmitButton } from '#ui/submit-button.tsx';
import { showToast } from '#ui/toast.tsx';
import { useFocusFirstInvalid } from '#ui/use-focus-first-invalid.ts';
import { type RetentionState, saveRetentionAction } from './retention-actions.ts';
import { GROUP_LABELS } from './retention-words.ts';

export function RetentionForm({ orgSlug, days }: { orgSlug: string; days: RetentionDays }) {
  const initial: RetentionState = {
    values: {},
    errors: {},
    error: null,
    saved: 0,
  };
  const [state, action] = useActionState(saveRetentionAction.bind(null, orgSlug), initial);
  useEffect(() => {
    if (state.saved > 0) showToast({ title: 'Saved. Older data goes within a minute.' });
  }, [state.saved]);
  const form = useRef<HTMLFormElement>(null);
  useFocusFirstInvalid(form, state);
  return (
    <form ref={form} action={action} className="flex flex-col gap-4">
      {state.error ? <Notice tone="danger" title={state.error} /> : null}
      <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2 lg:grid-cols-3">
        {RETENTION_GROUPS.map((group) => (
          <TextField
            key={group}
            id={`days-${group}`}
            name={group}
            label={`${GROUP_LABELS[group].label}, days`}
            hint={GROUP_LABELS[group].holds}
            defaultValue={state.values[group] ?? String(days[group])}
            error={state.errors[group] ?? null}
            inputMode="numeric"
            maxLength={6}
            autoComplete="off"
          />
        ))}
      </div>
      <p className="text-text-muted text-xs">
        Shorter days drop stored data for good. An emptied field returns to the instance&apos;s default.
      </p>
      <SubmitButton pendingLabel="Saving…" className="self-start">
        Save days
      </SubmitButton>
    </form>
  );
}
