'use client';

import { useId } from 'react';
import { LineForm } from '#app/forms/fields-form.tsx';
import { useForm } from '#app/forms/use-form.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import { Field } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { SubmitButton } from '#ui/submit-button.tsx';
import { generateHookSecretAction, pasteHookSecretAction } from './actions.ts';
import { HOOK_SECRET_FIELDS } from './tracker-fields.ts';

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
      <details open={!isSecretOurs}>
        <summary className="w-fit rounded-sm text-accent text-xs hover:underline">
          Paste a secret instead
        </summary>
        <div className="pt-3">
          <LineForm
            fields={{
              hookSecret: { ...HOOK_SECRET_FIELDS.hookSecret, label: `Signing secret of ${trackerName}` },
            }}
            action={pasteHookSecretAction.bind(null, orgSlug, { trackerId })}
            submitLabel="Save"
            pendingLabel="Saving…"
            savedTitle="Saved. Webhook events signed with this secret are accepted from now on."
          />
        </div>
      </details>
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
