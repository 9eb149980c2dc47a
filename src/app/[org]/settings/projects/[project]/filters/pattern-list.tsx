'use client';

import { CircleAlert } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import type { ListedFilter } from '#product/inbound-filters/filter-catalogue.ts';
import type { LineProblem } from '#product/inbound-filters/inbound-filters.ts';
import { fieldIds } from '#ui/field.tsx';
import { Textarea } from '#ui/input.tsx';

const ROWS_MIN = 3;
const ROWS_MAX = 12;
const PROBLEMS_SHOWN_MAX = 10;

/** A list with one entry a line. What is wrong with a line stands below it, and leads to the line. */
export function PatternList({
  list,
  defaultValue,
  problems,
  count,
}: {
  list: ListedFilter;
  defaultValue: string;
  problems: readonly LineProblem[];
  count: ReactNode;
}) {
  const area = useRef<HTMLTextAreaElement>(null);
  const ids = fieldIds(list.setting);

  function goTo(line: number) {
    const element = area.current;
    if (!element) return;
    const lines = element.value.split('\n');
    const from = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    element.focus();
    element.setSelectionRange(from, from + (lines[line - 1]?.length ?? 0));
  }

  const rows = Math.min(ROWS_MAX, Math.max(ROWS_MIN, defaultValue.split('\n').length + 1));
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <label htmlFor={list.setting} className="font-medium text-sm text-text">
          {list.name}
        </label>
        {count}
      </div>
      <Textarea
        ref={area}
        id={list.setting}
        name={list.setting}
        defaultValue={defaultValue}
        placeholder={list.placeholder}
        rows={rows}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        aria-invalid={problems.length > 0 ? true : undefined}
        aria-describedby={problems.length > 0 ? `${ids.error} ${ids.hint}` : ids.hint}
        className="mono text-xs"
      />
      {problems.length > 0 ? (
        <div id={ids.error} role="alert" className="text-danger text-xs">
          <ul className="flex flex-col gap-0.5">
            {problems.slice(0, PROBLEMS_SHOWN_MAX).map(({ line, text, problem }) => (
              <li key={line} className="flex items-start gap-1.5">
                <CircleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
                <span className="break-anything">
                  <button
                    type="button"
                    onClick={() => goTo(line)}
                    className="rounded-sm underline underline-offset-2"
                  >
                    Line {line}
                  </button>{' '}
                  <code className="mono">{text.slice(0, 80)}</code>: {problem}
                </span>
              </li>
            ))}
            {problems.length > PROBLEMS_SHOWN_MAX ? (
              <li>and {problems.length - PROBLEMS_SHOWN_MAX} more lines</li>
            ) : null}
          </ul>
        </div>
      ) : null}
      <p id={ids.hint} className="max-w-[75ch] text-text-muted text-xs">
        {list.help}
      </p>
    </div>
  );
}
