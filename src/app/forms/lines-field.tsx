'use client';

import { CircleAlert, type LucideIcon, TriangleAlert } from 'lucide-react';
import { type ComponentProps, type ReactNode, useRef } from 'react';
import { fieldIds, Textarea } from '#ui/field.tsx';

/** A problem in one line; both numbers start at 1. */
type LineProblem = {
  line: number;
  column?: number;
  message: string;
  /** The line itself, where the message alone does not say enough. */
  text?: string;
};

const TEXT_CHARACTERS_MAX = 80;

/** A text with one entry per line. Problems are listed below it, and each leads to its line. */
export function LinesField({
  id,
  label,
  aside,
  help,
  problems,
  warnings = [],
  problemsMax = 10,
  more = 'more',
  namesColumns = false,
  rows: [rowsMin, rowsMax],
  ...textarea
}: Omit<ComponentProps<'textarea'>, 'id' | 'rows' | 'className'> & {
  id: string;
  label: string;
  /** At the end of the label's row. */
  aside?: ReactNode;
  help: ReactNode;
  /** With any of these nothing is saved. */
  problems: readonly LineProblem[];
  /** Lines that are saved but have no effect. */
  warnings?: readonly LineProblem[];
  problemsMax?: number;
  /** What the rest of a long list is called. */
  more?: string;
  namesColumns?: boolean;
  /** The fewest and the most. */
  rows: readonly [number, number];
}) {
  const area = useRef<HTMLTextAreaElement>(null);
  const ids = fieldIds(id);
  const lineCount = String(textarea.value ?? textarea.defaultValue ?? '').split('\n').length;

  function goTo({ line, column = 1 }: LineProblem) {
    const element = area.current;
    if (!element) return;
    const lines = element.value.split('\n');
    const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    element.focus();
    element.setSelectionRange(start + column - 1, start + (lines[line - 1]?.length ?? 0));
  }

  const list = (Icon: LucideIcon, entries: readonly LineProblem[]) => (
    <ul className="flex flex-col gap-0.5">
      {entries.slice(0, problemsMax).map((entry) => (
        <li key={`${entry.line}:${entry.column}:${entry.message}`} className="flex items-start gap-1.5">
          <Icon aria-hidden className="mt-px size-3.5 shrink-0" />
          <span className="break-anything">
            <button
              type="button"
              onClick={() => goTo(entry)}
              className="rounded-sm underline underline-offset-2"
            >
              Line {entry.line}
              {namesColumns ? `, character ${entry.column}` : ''}
            </button>
            {entry.text === undefined ? null : (
              <>
                {' '}
                <code className="mono">{entry.text.slice(0, TEXT_CHARACTERS_MAX)}</code>
              </>
            )}
            : {entry.message}
          </span>
        </li>
      ))}
      {entries.length > problemsMax ? (
        <li>
          and {entries.length - problemsMax} {more}
        </li>
      ) : null}
    </ul>
  );

  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <label htmlFor={id} className="font-medium text-sm text-text">
          {label}
        </label>
        {aside}
      </div>
      <Textarea
        ref={area}
        id={id}
        rows={Math.min(rowsMax, Math.max(rowsMin, lineCount + 1))}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        aria-invalid={problems.length > 0 ? true : undefined}
        aria-describedby={problems.length > 0 ? `${ids.error} ${ids.hint}` : ids.hint}
        className="mono text-xs"
        {...textarea}
      />
      {problems.length > 0 ? (
        <div id={ids.error} role="alert" className="text-danger text-xs">
          {list(CircleAlert, problems)}
        </div>
      ) : null}
      {warnings.length > 0 ? (
        <div role="status" className="text-warning text-xs">
          {list(TriangleAlert, warnings)}
        </div>
      ) : null}
      <div id={ids.hint} className="max-w-[75ch] text-text-muted text-xs">
        {help}
      </div>
    </div>
  );
}
