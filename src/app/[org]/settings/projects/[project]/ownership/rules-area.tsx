'use client';

import { CircleAlert, TriangleAlert } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { fieldIds } from '#ui/field.tsx';
import { Textarea } from '#ui/input.tsx';

export type AreaProblem = { line: number; column: number; message: string };

const ROWS_MIN = 6;
const ROWS_MAX = 24;
const PROBLEMS_SHOWN_MAX = 20;

/** A text of rules, one a line. What is wrong with a line stands below it, and leads to the place. */
export function RulesArea({
  name,
  label,
  help,
  placeholder,
  defaultValue,
  problems,
  hints = [],
}: {
  name: string;
  label: string;
  help: ReactNode;
  placeholder: string;
  defaultValue: string;
  /** With one of them nothing is saved. */
  problems: readonly AreaProblem[];
  /** What is kept, and does not do what it says. */
  hints?: readonly AreaProblem[];
}) {
  const area = useRef<HTMLTextAreaElement>(null);
  const ids = fieldIds(name);

  function goTo({ line, column }: AreaProblem) {
    const element = area.current;
    if (!element) return;
    const lines = element.value.split('\n');
    const from = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    element.focus();
    element.setSelectionRange(from + column - 1, from + (lines[line - 1]?.length ?? 0));
  }

  const rows = Math.min(ROWS_MAX, Math.max(ROWS_MIN, defaultValue.split('\n').length + 1));
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={name} className="font-medium text-sm text-text">
        {label}
      </label>
      <Textarea
        ref={area}
        id={name}
        name={name}
        defaultValue={defaultValue}
        placeholder={placeholder}
        rows={rows}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        wrap="off"
        aria-invalid={problems.length > 0 ? true : undefined}
        aria-describedby={problems.length > 0 ? `${ids.error} ${ids.hint}` : ids.hint}
        className="mono text-xs"
      />
      {problems.length > 0 ? (
        <div id={ids.error} role="alert" className="text-danger text-xs">
          <ProblemList icon={<CircleAlert aria-hidden />} problems={problems} onSelect={goTo} />
        </div>
      ) : null}
      {hints.length > 0 ? (
        <div role="status" className="text-warning text-xs">
          <ProblemList icon={<TriangleAlert aria-hidden />} problems={hints} onSelect={goTo} />
        </div>
      ) : null}
      <div id={ids.hint} className="max-w-[75ch] text-text-muted text-xs">
        {help}
      </div>
    </div>
  );
}

function ProblemList({
  icon,
  problems,
  onSelect,
}: {
  icon: ReactNode;
  problems: readonly AreaProblem[];
  onSelect: (problem: AreaProblem) => void;
}) {
  return (
    <ul className="flex flex-col gap-0.5">
      {problems.slice(0, PROBLEMS_SHOWN_MAX).map((problem) => (
        <li
          key={`${problem.line}:${problem.column}:${problem.message}`}
          className="flex items-start gap-1.5 [&_svg]:mt-px [&_svg]:size-3.5 [&_svg]:shrink-0"
        >
          {icon}
          <span className="break-anything">
            <button
              type="button"
              onClick={() => onSelect(problem)}
              className="rounded-sm underline underline-offset-2"
            >
              Line {problem.line}
            </button>
            : {problem.message}
          </span>
        </li>
      ))}
      {problems.length > PROBLEMS_SHOWN_MAX ? <li>and {problems.length - PROBLEMS_SHOWN_MAX} more</li> : null}
    </ul>
  );
}
