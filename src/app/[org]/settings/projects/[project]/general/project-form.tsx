'use client';

import { NameAndSlugFields } from '#app/[org]/settings/name-and-slug-fields.tsx';
import { SettingsForm } from '#app/[org]/settings/settings-form.tsx';
import { useSettingsForm } from '#app/[org]/settings/use-settings-form.ts';
import { Field } from '#ui/field.tsx';
import { Select } from '#ui/select.tsx';
import { type ProjectState, saveProjectAction } from './project-actions.ts';

/** Name, slug and platform. */
export function ProjectForm({
  orgSlug,
  project,
  platforms,
  canChange,
}: {
  orgSlug: string;
  project: { name: string; slug: string; platform: string };
  platforms: readonly { value: string; label: string }[];
  canChange: boolean;
}) {
  const initial: ProjectState = { ...project, refusal: null, error: null, savedAt: null };
  const form = useSettingsForm(saveProjectAction.bind(null, orgSlug, project.slug), initial, 'Project saved');
  const { state } = form;
  const errorOf = (field: string) => (state.refusal?.field === field ? state.refusal.message : null);
  return (
    <SettingsForm form={form} canChange={canChange} submitLabel="Save project" className="gap-4">
      <NameAndSlugFields
        state={state}
        nameLengthMax={200}
        slugHint="Stands in addresses and in front of the numbers of new issues. Addresses and scripts with the former one stop working; issues keep their numbers, and SDKs go on sending."
        errorOf={errorOf}
      />
      <Field
        id="platform"
        label="Platform"
        hint="Decides which steps are shown for connecting a program."
        error={errorOf('platform')}
      >
        <Select
          id="platform"
          name="platform"
          label="Platform"
          look="field"
          options={platforms}
          defaultValue={state.platform}
          disabled={!canChange}
        />
      </Field>
    </SettingsForm>
  );
}
