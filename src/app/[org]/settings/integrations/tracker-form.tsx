'use client';

import { FieldInputs } from '#app/forms/fields-form.tsx';
import { FormFrame } from '#app/forms/form-frame.tsx';
import { useForm } from '#app/forms/use-form.ts';
import type { TrackerKind, TrackerWords } from '#product/trackers/tracker-kinds.ts';
import { Notice } from '#ui/notice.tsx';
import { saveTrackerAction } from './actions.ts';
import { HookSetup } from './hook-setup.tsx';
import { TRACKER_FIELDS } from './tracker-fields.ts';

export type TrackerFormInfo = Omit<TrackerWords, 'project'> & { kind: TrackerKind };

/** Connects a tracker, or changes one; after connecting it shows how to set up the webhook. */
export function TrackerForm({
  orgSlug,
  info,
  tracker,
}: {
  orgSlug: string;
  info: TrackerFormInfo;
  tracker: { id: number; name: string; url: string; login: string | null } | null;
}) {
  const form = useForm(
    saveTrackerAction.bind(null, orgSlug, { kind: info.kind, trackerId: tracker?.id ?? null }),
    tracker ? 'Saved' : `${info.name} is connected`,
  );
  const { state } = form;
  const values = { ...tracker, url: tracker && tracker.url !== info.url ? tracker.url : '' };
  const { name, url, login, token } = fieldsFor(info, tracker !== null);
  return (
    <div className="flex flex-col gap-4">
      {state.result ? (
        <Notice tone="success" title={`${info.name} is connected`}>
          <p className="mb-3">To receive its commits and issue updates, set up the webhook now.</p>
          <HookSetup
            orgSlug={orgSlug}
            trackerId={state.result.trackerId}
            hookUrl={state.result.hookUrl}
            help={info.hookHelp}
            trackerName={info.name}
            isSecretOurs={info.isHookSecretOurs}
            secret={info.isHookSecretOurs ? state.result.hookSecret : null}
          />
        </Notice>
      ) : null}
      <FormFrame form={form} submitLabel={tracker ? 'Save' : 'Connect'} className="gap-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <FieldInputs fields={info.hasOwnServers ? { name, url } : { name }} values={values} state={state} />
        </div>
        <FieldInputs
          fields={info.login === null ? { token } : { login, token }}
          values={values}
          state={state}
        />
      </FormFrame>
    </div>
  );
}

/** The fields with what there is to say of this kind. */
function fieldsFor(info: TrackerFormInfo, isConnected: boolean) {
  const { name, url, login, token } = TRACKER_FIELDS;
  return {
    name: { ...name, placeholder: info.name },
    url: {
      ...url,
      help: info.url === null ? 'The address you open it at.' : 'Only needed for a self-hosted server.',
      placeholder: info.url ?? 'https://acme.atlassian.net',
      isOptional: info.url !== null,
    },
    login: { ...login, help: info.login ?? '' },
    token: {
      ...token,
      help: isConnected ? `Leave empty to keep it. ${info.tokenHelp}` : info.tokenHelp,
      isOptional: isConnected,
    },
  };
}
