'use client';

import type { BodyPolicy } from '#protocol/ingest-settings.ts';
import { strictest } from '#protocol/ingest-settings.ts';
import { Badge } from '#ui/badge.tsx';
import { Field, fieldIds, Textarea } from '#ui/field.tsx';
import { Select } from '#ui/select.tsx';

const ROWS_MIN = 4;
const ROWS_MAX = 12;

/** Field names, one per line, with their problems below. */
export function FieldList({
  id,
  label,
  hint,
  value,
  onChange,
  problems,
  placeholder,
}: {
  id: string;
  label: string;
  hint: string;
  value: string;
  onChange: (value: string) => void;
  problems: readonly string[];
  placeholder: string;
}) {
  const ids = fieldIds(id);
  const hasProblems = problems.length > 0;
  return (
    <Field
      id={id}
      label={label}
      hint={hint}
      error={
        hasProblems
          ? problems.map((problem) => (
              <span key={problem} className="break-anything block">
                {problem}
              </span>
            ))
          : null
      }
    >
      <Textarea
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        placeholder={placeholder}
        rows={Math.min(ROWS_MAX, Math.max(ROWS_MIN, value.split('\n').length + 1))}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        aria-invalid={hasProblems ? true : undefined}
        aria-describedby={hasProblems ? `${ids.error} ${ids.hint}` : ids.hint}
        className="mono text-xs"
      />
    </Field>
  );
}

const LABELS: Readonly<Record<BodyPolicy, string>> = {
  keep: 'Store as sent',
  scrub: 'Scrub',
  discard: "Don't store",
};

/** The policy for one kind of file. `inherited` is the organization's minimum; null on its own page. */
export function FilePolicy({
  id,
  label,
  hint,
  value,
  inherited,
  onChange,
}: {
  id: string;
  label: string;
  hint: string;
  value: BodyPolicy;
  inherited: BodyPolicy | null;
  onChange: (policy: BodyPolicy) => void;
}) {
  const isStricter = inherited !== null && strictest(inherited, value) !== value;
  return (
    <div className="min-w-0">
      <Field id={id} label={label} hint={hint}>
        <Select
          id={id}
          look="field"
          options={(['scrub', 'discard', 'keep'] as const).map((policy) => ({
            value: policy,
            // An organization that stores as sent leaves the choice to its projects.
            label: inherited === null && policy === 'keep' ? 'Each project decides' : LABELS[policy],
          }))}
          value={value}
          onValueChange={onChange}
        />
      </Field>
      {isStricter ? (
        <p className="mt-1.5">
          <Badge tone="info">{`${LABELS[inherited]}: required by the organization`}</Badge>
        </p>
      ) : null}
    </div>
  );
}
