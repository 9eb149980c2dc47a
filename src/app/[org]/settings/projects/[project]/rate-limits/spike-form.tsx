'use client';

import { type FormEvent, startTransition, useActionState, useEffect, useRef } from 'react';
import type { SpikeSettings } from '#protocol/ingest-settings.ts';
import { Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { TextField } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { showToast } from '#ui/toast.tsx';
import { useFocusFirstInvalid } from '#ui/use-focus-first-invalid.ts';
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
  const [state, save, isPending] = useActionState(saveSpikeAction.bind(null, orgSlug, projectSlug), INITIAL);
  useEffect(() => {
    if (state.savedAt !== null) {
      showToast({ title: 'Spike protection saved. It applies within a few seconds.' });
    }
  }, [state.savedAt]);

  const form = useRef<HTMLFormElement>(null);
  useFocusFirstInvalid(form, state);

  function submit(event: FormEvent<HTMLFormElement>) {
    // The framework would empty the form after the action.
    event.preventDefault();
    const sent = new FormData(event.currentTarget);
    startTransition(() => save(sent));
  }

  return (
    <form ref={form} action={save} onSubmit={submit}>
      <fieldset disabled={!canChange} className="flex min-w-0 flex-col gap-4">
        <div className="flex items-start gap-3">
          <Checkbox
            id="spike-enabled"
            name="isEnabled"
            defaultChecked={spike.isEnabled}
            aria-describedby="spike-help"
            className="mt-0.5"
          />
          <div className="min-w-0">
            <label htmlFor="spike-enabled" className="font-medium text-sm">
              Keep the details of a sample only, when one issue arrives very often
            </label>
            <p id="spike-help" className="max-w-[75ch] text-text-muted text-xs">
              Every event is stored and counted, with its users and tags: numbers stay exact. Of stack traces,
              breadcrumbs and the like, those of every tenth event are kept past the threshold, and of every
              hundredth past ten times the threshold. They are what fills the disk in a spike.
            </p>
          </div>
        </div>
        <TextField
          id="spike-threshold"
          name="bodiesPerHour"
          label="Threshold, events per issue and hour"
          hint="Up to so many in a clock hour, the details of every event are kept."
          defaultValue={String(spike.bodiesPerHour)}
          error={state.thresholdError}
          inputMode="numeric"
          autoComplete="off"
          maxLength={12}
          className="max-w-80"
        />
        {state.error ? (
          <Notice tone="danger" title="Not saved">
            {state.error}
          </Notice>
        ) : null}
        {canChange ? (
          <Button type="submit" variant="primary" disabled={isPending} className="self-start">
            {isPending ? 'Saving…' : 'Save spike protection'}
          </Button>
        ) : null}
      </fieldset>
    </form>
  );
}
