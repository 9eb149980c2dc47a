'use client';

import { type FormEvent, type ReactNode, startTransition, useActionState, useEffect, useRef } from 'react';
import type {
  BrowserChoice,
  ListedFilter,
  SwitchedFilter,
} from '#product/inbound-filters/filter-catalogue.ts';
import type { FilterSettings } from '#protocol/ingest-settings.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { Notice } from '#ui/notice.tsx';
import { showToast } from '#ui/toast.tsx';
import { useFocusFirstInvalid } from '#ui/use-focus-first-invalid.ts';
import { type FiltersState, saveFiltersAction } from './filter-actions.ts';
import { PatternList } from './pattern-list.tsx';

const INITIAL: FiltersState = { problems: {}, error: null, savedAt: null };

/** Every filter of a project in one form: either all of it is saved, or none, and what was typed stays. */
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
  const [state, save, isPending] = useActionState(
    saveFiltersAction.bind(null, orgSlug, projectSlug),
    INITIAL,
  );
  useEffect(() => {
    if (state.savedAt !== null) showToast({ title: 'Inbound filters saved' });
  }, [state.savedAt]);

  const form = useRef<HTMLFormElement>(null);
  useFocusFirstInvalid(form, state);

  function submit(event: FormEvent<HTMLFormElement>) {
    // The framework would empty the form after the action.
    event.preventDefault();
    const sent = new FormData(event.currentTarget);
    startTransition(() => save(sent));
  }

  const problems = Object.values(state.problems).reduce((sum, each) => sum + (each?.length ?? 0), 0);
  return (
    <form ref={form} action={save} onSubmit={submit}>
      <fieldset disabled={!canChange} className="flex min-w-0 flex-col gap-5">
        <Card flush id="switches" title="Known noise">
          <ul>
            {switches.map(({ setting, id, name, help }) => (
              <li key={id} className="border-b last:border-b-0">
                <div className="flex items-start gap-3 px-4 py-3">
                  <Checkbox
                    id={setting}
                    name={setting}
                    defaultChecked={filters[setting]}
                    aria-describedby={`${setting}-help`}
                    className="mt-0.5"
                  />
                  <div className="flex min-w-0 flex-1 flex-wrap items-start justify-between gap-x-4">
                    <div className="min-w-0 flex-1 basis-52">
                      <label htmlFor={setting} className="font-medium text-sm">
                        {name}
                      </label>
                      <p id={`${setting}-help`} className="max-w-[75ch] text-text-muted text-xs">
                        {help}
                      </p>
                    </div>
                    {counts[id]}
                  </div>
                </div>
              </li>
            ))}
          </ul>
        </Card>
        <Card id="browsers" title="Legacy browsers" actions={counts['legacy-browsers']}>
          <p className="mb-3 max-w-[75ch] text-text-muted text-xs">
            Events of browsers that are too old for your app, told by their user agent. Apart from Internet
            Explorer, Opera Mini and the old Android browser these are browsers on computers: those on phones
            follow versions of their own.
          </p>
          <BrowserList
            browsers={browsers.filter(({ isCurrent }) => isCurrent)}
            chosen={filters.legacyBrowsers}
          />
          <details
            open={browsers.some(({ id, isCurrent }) => !isCurrent && filters.legacyBrowsers.includes(id))}
          >
            <summary className="mt-3 w-fit rounded-sm text-accent text-xs hover:underline">
              Only older versions
            </summary>
            <div className="mt-3">
              <BrowserList
                browsers={browsers.filter(({ isCurrent }) => !isCurrent)}
                chosen={filters.legacyBrowsers}
              />
            </div>
          </details>
        </Card>
        <Card id="lists" title="Lists of your own">
          <div className="flex flex-col gap-5">
            {lists.map((list) => (
              <PatternList
                key={list.id}
                list={list}
                defaultValue={filters[list.setting].join('\n')}
                problems={state.problems[list.setting] ?? []}
                count={counts[list.id]}
              />
            ))}
          </div>
        </Card>
        {state.error ? (
          <Notice tone="danger" title="Not saved">
            {state.error}
          </Notice>
        ) : null}
        {canChange ? (
          <div className="flex flex-wrap items-center gap-3">
            <Button type="submit" variant="primary" disabled={isPending}>
              {isPending ? 'Saving…' : 'Save filters'}
            </Button>
            <p aria-live="polite" className="text-danger text-xs">
              {problems > 0 && !isPending
                ? `Not saved: ${problems === 1 ? 'a line needs' : `${problems} lines need`} a correction.`
                : ''}
            </p>
          </div>
        ) : null}
      </fieldset>
    </form>
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
