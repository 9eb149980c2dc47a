'use client';

import { CircleAlert } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { FormFrame, SwitchRow, useForm } from '#app/forms/form-frame.tsx';
import type {
  BrowserChoice,
  ListedFilter,
  SwitchedFilter,
} from '#product/inbound-filters/filter-catalogue.ts';
import type { LineProblem } from '#product/inbound-filters/inbound-filters.ts';
import type { FilterSettings } from '#protocol/ingest-settings.ts';
import { Card } from '#ui/card.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { fieldIds, Textarea } from '#ui/field.tsx';
import { saveFiltersAction } from './actions.ts';

/** Every filter of a project in one form: all of it is saved or nothing, and what was typed stays. */
export function FiltersForm({
  orgSlug,
  projectSlug,
  filters,
  switches,
  lists,
  browsers,
  counts,
  canChange,
}: {
  orgSlug: string;
  projectSlug: string;
  filters: FilterSettings;
  switches: readonly SwitchedFilter[];
  lists: readonly ListedFilter[];
  browsers: readonly BrowserChoice[];
  /** What each filter dropped, by its id. */
  counts: Readonly<Record<string, ReactNode>>;
  canChange: boolean;
}) {
  const form = useForm(saveFiltersAction.bind(null, orgSlug, { projectSlug }), 'Inbound filters saved');
  const problems = form.state.result ?? {};
  const count = Object.values(problems).reduce((sum, each) => sum + (each?.length ?? 0), 0);
  return (
    <FormFrame
      form={form}
      canChange={canChange}
      submitLabel="Save filters"
      problems={{ count, noun: 'line' }}
      className="gap-5"
    >
      <Card flush id="switches" title="Known noise">
        <ul>
          {switches.map(({ setting, id, name, help }) => (
            <li key={id} className="border-b last:border-b-0">
              <SwitchRow
                id={setting}
                label={name}
                help={help}
                defaultChecked={filters[setting]}
                aside={counts[id]}
                className="px-4 py-3"
              />
            </li>
          ))}
        </ul>
      </Card>
      <Card id="browsers" title="Legacy browsers" actions={counts['legacy-browsers']}>
        <p className="mb-3 max-w-[75ch] text-text-muted text-xs">
          Drops events from browsers that are too old for your app, based on their user agent. Except for
          Internet Explorer, Opera Mini and the old Android browser, these are desktop browsers: mobile
          browsers have their own version numbers.
        </p>
        <BrowserList
          browsers={browsers.filter(({ isCurrent }) => isCurrent)}
          chosen={filters.legacyBrowsers}
        />
        <details
          open={browsers.some(({ id, isCurrent }) => !isCurrent && filters.legacyBrowsers.includes(id))}
        >
          <summary className="mt-3 w-fit rounded-sm text-accent text-xs hover:underline">
            Older versions
          </summary>
          <div className="mt-3">
            <BrowserList
              browsers={browsers.filter(({ isCurrent }) => !isCurrent)}
              chosen={filters.legacyBrowsers}
            />
          </div>
        </details>
      </Card>
      <Card id="lists" title="Custom filters">
        <div className="flex flex-col gap-5">
          {lists.map((list) => (
            <PatternList
              key={list.id}
              list={list}
              defaultValue={filters[list.setting].join('\n')}
              problems={problems[list.setting] ?? []}
              count={counts[list.id]}
            />
          ))}
        </div>
      </Card>
    </FormFrame>
  );
}

function BrowserList({
  browsers,
  chosen,
}: {
  browsers: readonly BrowserChoice[];
  chosen: FilterSettings['legacyBrowsers'];
}) {
  return (
    <ul className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
      {browsers.map(({ id, label }) => (
        <li key={id} className="flex items-center gap-2.5 py-0.5">
          <Checkbox
            id={`browser-${id}`}
            name="legacyBrowsers"
            value={id}
            defaultChecked={chosen.includes(id)}
          />
          <label htmlFor={`browser-${id}`} className="text-sm">
            {label}
          </label>
        </li>
      ))}
    </ul>
  );
}

const ROWS_MIN = 3;
const ROWS_MAX = 12;
const PROBLEMS_SHOWN_MAX = 10;

/** A list with one entry a line. What is wrong with a line stands below it, and leads to the line. */
function PatternList({
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
