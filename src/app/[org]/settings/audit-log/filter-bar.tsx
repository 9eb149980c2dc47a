'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useOptimistic, useRef, useTransition } from 'react';
import { withQuery } from '#app/url-state.ts';
import { Button } from '#ui/button.tsx';
import { Field, TextField } from '#ui/field.tsx';
import { Select, type SelectOption } from '#ui/select.tsx';
import type { AuditFilters } from './audit-filters.ts';

const NONE: AuditFilters = { actor: null, action: null, from: null, to: null };

/** Narrows the log. Each choice goes into the address at once. */
export function FilterBar({
  path,
  filters,
  actors,
  actions,
  days,
}: {
  path: string;
  filters: AuditFilters;
  actors: readonly SelectOption<string>[];
  actions: readonly SelectOption<string>[];
  /** The first and the last day that the log may hold. */
  days: { min: string; max: string };
}) {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  const [shown, show] = useOptimistic(filters);
  const choose = (change: Partial<AuditFilters>) => {
    const next = { ...shown, ...change };
    startTransition(() => {
      show(next);
      router.push(withQuery(path, next), { scroll: false });
    });
  };
  return (
    <search aria-busy={isPending} className="flex flex-wrap items-end gap-3">
      <Field id="actor" label="User" className="min-w-40 flex-1">
        <Select
          id="actor"
          look="field"
          options={[{ value: '', label: 'Everyone' }, ...actors]}
          value={shown.actor ?? ''}
          onValueChange={(actor) => choose({ actor: actor || null })}
        />
      </Field>
      <Field id="action" label="Action" className="min-w-40 flex-1">
        <Select
          id="action"
          look="field"
          options={[{ value: '', label: 'All actions' }, ...actions]}
          value={shown.action ?? ''}
          onValueChange={(action) => choose({ action: action || null })}
        />
      </Field>
      <DayField label="From (UTC)" day={shown.from} {...days} onChoose={(from) => choose({ from })} />
      <DayField label="To (UTC)" day={shown.to} {...days} onChoose={(to) => choose({ to })} />
      {Object.values(shown).some((value) => value !== null) ? (
        <Button variant="ghost" className="h-9" onClick={() => choose(NONE)}>
          Clear
        </Button>
      ) : null}
    </search>
  );
}

/** A day that is typed or picked; one that is not complete yet chooses nothing. */
function DayField({
  label,
  day,
  min,
  max,
  onChoose,
}: {
  label: string;
  day: string | null;
  min: string;
  max: string;
  onChoose: (day: string | null) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Whoever types goes on typing.
    if (input.current && input.current !== document.activeElement) input.current.value = day ?? '';
  }, [day]);
  return (
    <TextField
      ref={input}
      type="date"
      label={label}
      defaultValue={day ?? ''}
      min={min}
      max={max}
      onChange={({ target: { validity, value } }) => {
        if (validity.valid) onChoose(value || null);
      }}
      className="w-40"
    />
  );
}
