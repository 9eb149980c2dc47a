'use client';

import { useActionState, useId } from 'react';
import { CopyButton } from '#ui/copy-button.tsx';
import { Field, TextField } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { SubmitButton } from '#ui/submit-button.tsx';
import { type HookSecretState, saveHookSecretAction } from './tracker-actions.ts';

const INITIAL: HookSecretState = { error: null, hookSecret: null, savedAt: null };

/** The address of a tracker's webhook, and its secret: made here and shown once, or made there and pasted. */
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
  /** That was made just now. */
  secret?: string | null;
}) {
  const [state, save] = useActionState(saveHookSecretAction.bind(null, orgSlug, trackerId), INITIAL);
  const shown = state.hookSecret ?? secret;
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm">{help}</p>
      <Copied label="Address" text={hookUrl} />
      {shown === null ? null : (
        <Copied label="Secret" text={shown} hint="Copy it now: it is not shown again." />
      )}
      {isSecretOurs ? (
        <form action={save} className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <SubmitButton size="sm" variant="secondary" pendingLabel="Making…">
            {shown === null ? 'Make a new secret' : 'Make another secret'}
          </SubmitButton>
          <span className="text-text-muted text-xs">The one before ends at once.</span>
        </form>
      ) : null}
      <details open={!isSecretOurs}>
        <summary className="w-fit rounded-sm text-accent text-xs hover:underline">
          Paste a secret instead
        </summary>
        <form action={save} className="flex flex-wrap items-start gap-3 pt-3">
          <TextField
            key={state.savedAt}
            name="hookSecret"
            type="password"
            label={`Signing secret of ${trackerName}`}
            error={state.error}
            autoComplete="off"
            className="min-w-0 flex-1 basis-60"
            required
          />
          <SubmitButton pendingLabel="Saving…" className="h-9 sm:mt-[26px]">
            Save
          </SubmitButton>
        </form>
      </details>
      {state.savedAt !== null && state.hookSecret === null ? (
        <Notice tone="success" title="Saved">
          Its messages are taken from now on when they are signed with it.
        </Notice>
      ) : null}
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
