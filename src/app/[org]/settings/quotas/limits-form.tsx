'use client';

import { CircleAlert } from 'lucide-react';
import { type FormEvent, type ReactNode, startTransition, useActionState, useEffect, useRef } from 'react';
import type { LimitKind } from '#product/quotas/limit-kinds.ts';
import { Button } from '#ui/button.tsx';
import { fieldIds } from '#ui/field.tsx';
import { Input } from '#ui/input.tsx';
import { Notice } from '#ui/notice.tsx';
import { Select } from '#ui/select.tsx';
import { showToast } from '#ui/toast.tsx';
import { useFocusFirstInvalid } from '#ui/use-focus-first-invalid.ts';
import type { LimitsState } from './limits-state.ts';
import { windowOptions } from './window-words.ts';

export type LimitRow = {
  kind: LimitKind;
  label: string;
  about: string;
  /** null when nothing is limited. */
  limit: number | null;
  windowSeconds: number;
  use: ReactNode;
};

const INITIAL: LimitsState = { errors: {}, error: null, savedAt: null };

/** One row per kind of data: at most so many in a window. Either all of it is saved, or none, and what was typed stays. */
export function LimitsForm({
  rows,
  action,
  canChange,
}: {
  rows: readonly LimitRow[];
  action: (previous: LimitsState, form: FormData) => Promise<LimitsState>;
  canChange: boolean;
}) {
  const [state, save, isPending] = useActionState(action, INITIAL);
  useEffect(() => {
    if (state.savedAt !== null) showToast({ title: 'Limits saved. They apply within a few seconds.' });
  }, [state.savedAt]);

  const form = useRef<HTMLFormElement>(null);
  useFocusFirstInvalid(form, state);

  function submit(event: FormEvent<HTMLFormElement>) {
    // The framework would empty the form after the action.
    event.preventDefault();
    const sent = new FormData(event.currentTarget);
    startTransition(() => save(sent));
  }

  const problems = Object.keys(state.errors).length;
  return (
    <form ref={form} action={save} onSubmit={submit}>
      <fieldset disabled={!canChange} className="min-w-0">
        <ul>
          {rows.map((row) => (
            <LimitFields
              key={row.kind}
              row={row}
              error={state.errors[row.kind] ?? null}
              canChange={canChange}
            />
          ))}
        </ul>
        {state.error ? (
          <div className="border-t p-4">
            <Notice tone="danger" title="Not saved">
              {state.error}
            </Notice>
          </div>
        ) : null}
        {canChange ? (
          <div className="flex flex-wrap items-center gap-3 border-t px-4 py-3">
            <Button type="submit" variant="primary" disabled={isPending}>
              {isPending ? 'Saving…' : 'Save limits'}
            </Button>
            <p aria-live="polite" className="text-danger text-xs">
              {problems > 0 && !isPending
                ? `Not saved: ${problems === 1 ? 'a limit needs' : `${problems} limits need`} a correction.`
                : ''}
            </p>
          </div>
        ) : null}
      </fieldset>
    </form>
  );
}

function LimitFields({ row, error, canChange }: { row: LimitRow; error: string | null; canChange: boolean }) {
  const id = `${row.kind}-limit`;
  const ids = fieldIds(id);
  return (
    <li className="grid gap-x-6 gap-y-2 border-b px-4 py-3 last:border-b-0 sm:grid-cols-[minmax(0,1fr)_300px]">
      <div className="min-w-0">
        <label htmlFor={id} className="font-medium text-sm">
          {row.label}
        </label>
        <p id={ids.hint} className="text-text-muted text-xs">
          {row.about}
        </p>
      </div>
      <div className="flex min-w-0 flex-col gap-1.5">
        <div className="flex gap-2">
          <Input
            id={id}
            name={id}
            defaultValue={row.limit ?? ''}
            placeholder="no limit"
            inputMode="numeric"
            autoComplete="off"
            maxLength={20}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? `${ids.error} ${ids.hint}` : ids.hint}
            className="numbers min-w-0 flex-1"
          />
          <Select
            label={`Window of ${row.label.toLowerCase()}`}
            look="field"
            name={`${row.kind}-window`}
            options={windowOptions(row.windowSeconds)}
            defaultValue={String(row.windowSeconds)}
            disabled={!canChange}
            className="max-w-36 flex-none basis-36"
          />
        </div>
        {error ? (
          <p id={ids.error} role="alert" className="flex items-start gap-1.5 text-danger text-xs">
            <CircleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
            <span>{error}</span>
          </p>
        ) : null}
        {row.use}
      </div>
    </li>
  );
}
