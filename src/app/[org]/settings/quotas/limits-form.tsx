'use client';

import type { ReactNode } from 'react';
import { FormFrame, type SaveForm, useForm } from '#app/forms/form-frame.tsx';
import type { LimitKind } from '#product/quotas/limit-kinds.ts';
import { FieldProblem, fieldIds, Input } from '#ui/field.tsx';
import { Select } from '#ui/select.tsx';
import { windowField, windowOptions } from './limit-fields.ts';

export type LimitRow = {
  kind: LimitKind;
  label: string;
  about: string;
  limit: number | null;
  windowSeconds: number;
  use: ReactNode;
};

/** One row per kind of data: at most so many in a window. Either all of it is saved, or none, and what was typed stays. */
export function LimitsForm({
  rows,
  action,
  canChange,
}: {
  rows: readonly LimitRow[];
  action: SaveForm<null>;
  canChange: boolean;
}) {
  const form = useForm(action);
  const { errors } = form.state;
  return (
    <FormFrame
      form={form}
      canChange={canChange}
      submitLabel="Save limits"
      savedTitle="Limits saved. They take effect within a few seconds."
      problems={{ count: Object.keys(errors).length, noun: 'limit' }}
      isFlush
    >
      <ul>
        {rows.map((row) => (
          <LimitFields key={row.kind} row={row} error={errors[row.kind] ?? null} canChange={canChange} />
        ))}
      </ul>
    </FormFrame>
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
            name={row.kind}
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
            label={`${row.label} window`}
            look="field"
            name={windowField(row.kind)}
            options={windowOptions(row.windowSeconds)}
            defaultValue={String(row.windowSeconds)}
            disabled={!canChange}
            className="max-w-36 flex-none basis-36"
          />
        </div>
        {error ? <FieldProblem id={ids.error}>{error}</FieldProblem> : null}
        {row.use}
      </div>
    </li>
  );
}
