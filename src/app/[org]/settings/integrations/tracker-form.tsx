'use client';

import { useId } from 'react';
import { HOOK_SECRET_FIELDS, TRACKER_FIELDS } from '#app/[org]/settings/organization-fields.ts';
import { FieldInputs, LineForm } from '#app/forms/fields-form.tsx';
import { FormFrame, useForm } from '#app/forms/form-frame.tsx';
import type { TrackerKind, TrackerLabels } from '#product/trackers/tracker-kinds.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import { Disclosure } from '#ui/disclosure.tsx';
import { Field } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { SubmitButton } from '#ui/submit-button.tsx';
import { generateHookSecretAction, pasteHookSecretAction, saveTrackerAction } from './actions.ts';

export type TrackerFormInfo = Omit<TrackerLabels, 'project'> & { kind: TrackerKind };

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
      <FormFrame
        form={form}
        submitLabel={tracker ? 'Save' : 'Connect'}
        savedTitle={tracker ? 'Saved' : 'Connected'}
        className="gap-4"
      >
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
      help: info.url === null ? 'The URL where you open it.' : 'Only needed for a self-hosted server.',
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

/** The URL of a tracker's webhook, and its secret: generated here and shown once, or generated there and pasted. */
export function HookSetup({
  orgSlug,
  trackerId,
  hookUrl,
  help,
  trackerName,
  isSecretOurs,
  secret = null,
}: {
  orgSlug: string;
  trackerId: number;
  hookUrl: string;
  help: string;
  trackerName: string;
  isSecretOurs: boolean;
  /** Generated just now. */
  secret?: string | null;
}) {
  const { state, formProps } = useForm(generateHookSecretAction.bind(null, orgSlug, { trackerId }), null);
  const shown = state.result ?? secret;
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm">{help}</p>
      <Copied label="URL" text={hookUrl} />
      {shown === null ? null : (
        <Copied label="Secret" text={shown} hint="Copy it now. You will not see it again." />
      )}
      {isSecretOurs ? (
        <form {...formProps} className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <SubmitButton size="sm" variant="secondary" pendingLabel="Generating…">
            {shown === null ? 'Generate a new secret' : 'Generate another secret'}
          </SubmitButton>
          <span className="text-text-muted text-xs">The old one stops working right away.</span>
        </form>
      ) : null}
      <Disclosure summary="Paste a secret instead" open={!isSecretOurs}>
        <LineForm
          fields={{
            hookSecret: { ...HOOK_SECRET_FIELDS.hookSecret, label: `Signing secret of ${trackerName}` },
          }}
          action={pasteHookSecretAction.bind(null, orgSlug, { trackerId })}
          submitLabel="Save"
          pendingLabel="Saving…"
          savedTitle="Saved. Webhook events signed with this secret are accepted from now on."
        />
      </Disclosure>
      {state.error ? <Notice tone="danger">{state.error}</Notice> : null}
    </div>
  );
}

function Copied({ label, text, hint }: { label: string; text: string; hint?: string }) {
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint}>
      <span className="flex items-center gap-1 rounded-md border bg-surface-raised py-1 pr-1 pl-2.5">
        <output id={id} className="mono min-w-0 flex-1 truncate text-xs">
          {text}
        </output>
        <CopyButton text={text} label={`Copy the ${label.toLowerCase()}`} />
      </span>
    </Field>
  );
}
