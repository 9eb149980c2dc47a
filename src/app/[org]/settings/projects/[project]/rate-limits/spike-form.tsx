'use client';

import { SettingsForm } from '#app/[org]/settings/settings-form.tsx';
import { SwitchRow } from '#app/[org]/settings/switch-row.tsx';
import { useSettingsForm } from '#app/[org]/settings/use-settings-form.ts';
import type { SpikeSettings } from '#protocol/ingest-settings.ts';
import { TextField } from '#ui/field.tsx';
import { type SpikeState, saveSpikeAction } from './rate-limit-actions.ts';

const INITIAL: SpikeState = { thresholdError: null, error: null, savedAt: null };

/** Switch and threshold of spike protection. */
export function SpikeForm({
  orgSlug,
  projectSlug,
  spike,
  canChange,
}: {
  orgSlug: string;
  projectSlug: string;
  spike: SpikeSettings;
  canChange: boolean;
}) {
  const form = useSettingsForm(
    saveSpikeAction.bind(null, orgSlug, projectSlug),
    INITIAL,
    'Spike protection saved. It applies within a few seconds.',
  );
  return (
    <SettingsForm form={form} canChange={canChange} submitLabel="Save spike protection" className="gap-4">
      <SwitchRow
        id="spike-enabled"
        name="isEnabled"
        label="Keep the details of a sample only, when one issue arrives very often"
        help="Every event is stored and counted, with its users and tags: numbers stay exact. Of stack traces, breadcrumbs and the like, those of every tenth event are kept past the threshold, and of every hundredth past ten times the threshold. They are what fills the disk in a spike."
        defaultChecked={spike.isEnabled}
      />
      <TextField
        id="spike-threshold"
        name="bodiesPerHour"
        label="Threshold, events per issue and hour"
        hint="Up to so many in a clock hour, the details of every event are kept."
        defaultValue={String(spike.bodiesPerHour)}
        error={form.state.thresholdError}
        inputMode="numeric"
        autoComplete="off"
        maxLength={12}
        className="max-w-80"
      />
    </SettingsForm>
  );
}
