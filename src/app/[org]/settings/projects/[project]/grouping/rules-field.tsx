'use client';

import { CircleAlert } from 'lucide-react';
import { useRef } from 'react';
import type { RuleProblem } from '#product/grouping/grouping-rules.ts';
import { fieldIds } from '#ui/field.tsx';
import { Textarea } from '#ui/input.tsx';

const ROWS = { min: 5, max: 20 } as const;
const PROBLEMS_SHOWN_MAX = 10;

/** A text of rules. What is wrong with a line stands below it, and leads to the place. */
export function RulesField({
  id,
  label,
  hint,
  placeholder,
  value,
  problems,
  isReadOnly,
  onChange,
}: {
  id: string;
  label: string;
  hint: string;
  placeholder: string;
  value: string;
  problems: readonly RuleProblem[];
  isReadOnly: boolean;
  onChange: (text: string) => void;
}) {
  const area = useRef<HTMLTextAreaElement>(null);
  const ids = fieldIds(id);
  const lines = value.split('\n');

  function goTo({ line, column }: RuleProblem) {
    const before = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    area.current?.focus();
    area.current?.setSelectionRange(before + column - 1, before + (lines[line - 1]?.length ?? 0));
  }

  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-medium text-sm">
        {label}
      </label>
      <Textarea
        ref={area}
        id={id}
        value={value}
        placeholder={placeholder}
        rows={Math.min(ROWS.max, Math.max(ROWS.min, lines.length + 1))}
        readOnly={isReadOnly}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        wrap="off"
        aria-invalid={problems.length > 0 ? true : undefined}
        aria-describedby={problems.length > 0 ? `${ids.error} ${ids.hint}` : ids.hint}
        onChange={(event) => onChange(event.target.value)}
        className="mono text-xs"
      />
      {problems.length > 0 ? (
        <div id={ids.error} role="alert" className="text-danger text-xs">
          <ul className="flex flex-col gap-0.5">
            {problems.slice(0, PROBLEMS_SHOWN_MAX).map((problem) => (
              <li key={`${problem.line} ${problem.column}`} className="flex items-start gap-1.5">
                <CircleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
                <span className="break-anything">
                  <button
                    type="button"
                    onClick={() => goTo(problem)}
                    className="rounded-sm underline underline-offset-2"
                  >
                    Line {problem.line}, character {problem.column}
                  </button>
                  : {problem.message}
                </span>
              </li>
            ))}
            {problems.length > PROBLEMS_SHOWN_MAX ? (
              <li>and {problems.length - PROBLEMS_SHOWN_MAX} more</li>
            ) : null}
          </ul>
        </div>
      ) : null}
      <p id={ids.hint} className="max-w-[75ch] text-text-muted text-xs">
        {hint}
      </p>
    </div>
  );
}
