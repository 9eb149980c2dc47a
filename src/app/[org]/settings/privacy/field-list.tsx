'use client';

import { Field, fieldIds } from '#ui/field.tsx';
import { Textarea } from '#ui/input.tsx';

const ROWS_MIN = 4;
const ROWS_MAX = 12;

/** Names of fields, one a line. What is wrong stands below the list. */
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
