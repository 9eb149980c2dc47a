'use client';

import { useState, useTransition } from 'react';
import { saveSearch } from '#app/[org]/issues/actions.ts';
import { FormDialog } from '#app/shell/form-dialog.tsx';
import type { IssueSort } from '#domain/issues/issue.ts';
import { TextField } from '#ui/field.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { showToast } from '#ui/toast.tsx';

/** Gives the search that is shown a name. */
export function SaveSearchDialog({
  organizationSlug,
  query,
  sort,
  canShare,
  isOpen,
  onOpenChange,
}: {
  organizationSlug: string;
  query: string;
  sort: IssueSort;
  canShare: boolean;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}) {
  const [visibility, setVisibility] = useState<'mine' | 'everybody'>('mine');
  const [error, setError] = useState<string | null>(null);
  const [isSaving, startSaving] = useTransition();

  function save(form: FormData) {
    const name = String(form.get('name') ?? '');
    startSaving(async () => {
      const isShared = visibility === 'everybody';
      const result = await saveSearch({ organizationSlug, name, query, sort, isShared });
      setError(result.ok ? null : result.message);
      if (!result.ok) return;
      showToast({ title: `Saved search ${name.trim()}` });
      onOpenChange(false);
    });
  }

  return (
    <FormDialog
      open={isOpen}
      title="Save this search"
      description={<span className="mono break-anything">{query}</span>}
      submitLabel="Save"
      isPending={isSaving}
      className="flex flex-col gap-4"
      action={save}
      onClose={() => {
        setError(null);
        onOpenChange(false);
      }}
    >
      <TextField label="Name" name="name" required maxLength={100} autoComplete="off" error={error} />
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
