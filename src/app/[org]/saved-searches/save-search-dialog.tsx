'use client';

import { useState, useTransition } from 'react';
import type { Answer } from '#app/forms/submit-form.ts';
import { FormDialog } from '#app/shell/form-dialog.tsx';
import { TextField } from '#ui/field.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { showToast } from '#ui/toast.tsx';

/** Gives a search a name, or another one, and says who sees it. */
export function SaveSearchDialog({
  title,
  description,
  name: before = '',
  isShared = false,
  canShare,
  save,
  isOpen,
  onOpenChange,
}: {
  title: string;
  /** What is saved. */
  description: string;
  name?: string | undefined;
  isShared?: boolean | undefined;
  canShare: boolean;
  save: (named: { name: string; isShared: boolean }) => Promise<Answer<null>>;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}) {
  const [visibility, setVisibility] = useState<'mine' | 'everybody'>(isShared ? 'everybody' : 'mine');
  const [error, setError] = useState<string | null>(null);
  const [isSaving, startSaving] = useTransition();

  function submit(form: FormData) {
    const name = String(form.get('name') ?? '');
    startSaving(async () => {
      const result = await save({ name, isShared: visibility === 'everybody' });
      setError(result.ok ? null : result.message);
      if (!result.ok) return;
      showToast({ title: `Saved ${name.trim()}` });
      onOpenChange(false);
    });
  }

  return (
    <FormDialog
      open={isOpen}
      title={title}
      description={<span className="mono break-anything">{description}</span>}
      submitLabel="Save"
      isPending={isSaving}
      className="flex flex-col gap-4"
      action={submit}
      onClose={() => {
        setError(null);
        onOpenChange(false);
      }}
    >
      <TextField
        label="Name"
        name="name"
        defaultValue={before}
        required
        maxLength={100}
        autoComplete="off"
        error={error}
      />
      {canShare ? (
        <Segmented
          label="Visibility"
          value={visibility}
          onValueChange={setVisibility}
          options={[
            { value: 'mine', label: 'Only me' },
            { value: 'everybody', label: 'Everyone in the organization' },
          ]}
        />
      ) : null}
    </FormDialog>
  );
}
