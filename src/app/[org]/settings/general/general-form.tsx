'use client';

import { NameAndSlugFields } from '#app/[org]/settings/name-and-slug-fields.tsx';
import { SettingsForm } from '#app/[org]/settings/settings-form.tsx';
import { SwitchRow } from '#app/[org]/settings/switch-row.tsx';
import { useSettingsForm } from '#app/[org]/settings/use-settings-form.ts';
import { type GeneralState, saveGeneralAction } from './general-actions.ts';

/** Name, slug, and who sees which projects. */
export function GeneralForm({
  orgSlug,
  organization,
  canChange,
}: {
  orgSlug: string;
  organization: { name: string; slug: string; isOpen: boolean };
  canChange: boolean;
}) {
  const initial: GeneralState = { ...organization, refusal: null, error: null, savedAt: null };
  const form = useSettingsForm(saveGeneralAction.bind(null, orgSlug), initial, 'Settings saved');
  const { state } = form;
  const errorOf = (field: string) => (state.refusal?.field === field ? state.refusal.message : null);
  return (
    <SettingsForm form={form} canChange={canChange} submitLabel="Save settings" className="gap-4">
      <NameAndSlugFields
        state={state}
        nameLengthMax={100}
        slugHint="Stands in every address. Addresses with the former one lead here still, until another organization takes it; scripts that use the API need the new one."
        errorOf={errorOf}
      />
      <SwitchRow
        id="isOpen"
        label="Open membership"
        help="Everybody in the organization reads every project. Without it, viewers, members and admins see the projects of their teams only; managers and owners see all."
        defaultChecked={state.isOpen}
      />
    </SettingsForm>
  );
}
