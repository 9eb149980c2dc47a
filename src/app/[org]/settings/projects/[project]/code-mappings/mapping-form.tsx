'use client';

import { useId } from 'react';
import { SettingsForm } from '#app/[org]/settings/settings-form.tsx';
import { useSettingsForm } from '#app/[org]/settings/use-settings-form.ts';
import type { CodeMapping } from '#storage/ports/code-mappings.ts';
import { Field, TextField } from '#ui/field.tsx';
import { Select } from '#ui/select.tsx';
import { saveMappingAction } from './mapping-actions.ts';

/** A code mapping; without one a form for a new one, which is empty again once it was made. */
export function MappingForm({
  orgSlug,
  projectSlug,
  mapping,
  repositories,
}: {
  orgSlug: string;
  projectSlug: string;
  mapping: CodeMapping | null;
  repositories: readonly { id: number; name: string }[];
}) {
  const form = useSettingsForm(
    saveMappingAction.bind(null, orgSlug, projectSlug, mapping?.id ?? null),
    { error: null, problems: {}, savedAt: null },
    'Code mapping saved',
  );
  const repositoryField = useId();
  const { problems, savedAt } = form.state;
  return (
    <SettingsForm form={form} canChange submitLabel={mapping ? 'Save' : 'Add code mapping'} className="gap-4">
      <div key={mapping ? 'kept' : (savedAt ?? 'new')} className="grid gap-4 sm:grid-cols-2">
        <TextField
          name="stackRoot"
          label="Stack trace root"
          hint="What paths of stack traces begin with; may be empty."
          placeholder="./src/"
          defaultValue={mapping?.stackRoot}
          error={problems.stackRoot}
          maxLength={500}
          autoComplete="off"
        />
        <TextField
          name="sourceRoot"
          label="Source root"
          hint="What the repository has in its place; may be empty."
          placeholder="web/src/"
          defaultValue={mapping?.sourceRoot}
          error={problems.sourceRoot}
          maxLength={500}
          autoComplete="off"
        />
        <Field id={repositoryField} label="Repository" error={problems.repositoryId}>
          <Select
            id={repositoryField}
            name="repositoryId"
            look="field"
            options={repositories.map(({ id, name }) => ({ value: String(id), label: name }))}
            defaultValue={String(mapping?.repositoryId ?? repositories[0]?.id ?? '')}
          />
        </Field>
        <TextField
          name="defaultBranch"
          label="Branch"
          hint="Linked to while no commit of the release is known."
          defaultValue={mapping?.defaultBranch ?? 'main'}
          error={problems.defaultBranch}
          maxLength={200}
          autoComplete="off"
          required
        />
      </div>
    </SettingsForm>
  );
}
