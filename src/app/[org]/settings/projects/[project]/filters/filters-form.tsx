'use client';

import type { ReactNode } from 'react';
import { FormFrame, useForm } from '#app/forms/form-frame.tsx';
import { LinesField } from '#app/forms/lines-field.tsx';
import type {
  BrowserChoice,
  ListedFilter,
  SwitchedFilter,
} from '#product/inbound-filters/filter-catalogue.ts';
import type { FilterSettings } from '#protocol/ingest-settings.ts';
import { Card } from '#ui/card.tsx';
import { Checkbox, CheckboxField } from '#ui/checkbox.tsx';
import { saveFiltersAction } from './actions.ts';

/** Saves all filters or none, and keeps what was typed. */
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
  const form = useForm(saveFiltersAction.bind(null, orgSlug, { projectSlug }));
  const problems = form.state.result ?? {};
  const count = Object.values(problems).reduce((sum, each) => sum + (each?.length ?? 0), 0);
  return (
    <FormFrame
      form={form}
      canChange={canChange}
      submitLabel="Save filters"
      savedTitle="Inbound filters saved"
      problems={{ count, noun: 'line' }}
      className="gap-5"
    >
      <Card flush id="switches" title="Known noise">
        <ul>
          {switches.map(({ setting, id, name, help }) => (
            <li key={id} className="border-b last:border-b-0">
              <CheckboxField
                id={setting}
                name={setting}
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
          {lists.map(({ setting, id, name, placeholder, help }) => (
            <LinesField
              key={id}
              id={setting}
              name={setting}
              label={name}
              aside={counts[id]}
              placeholder={placeholder}
              help={help}
              defaultValue={filters[setting].join('\n')}
              problems={(problems[setting] ?? []).map((each) => ({ ...each, message: each.problem }))}
              more="more lines"
              rows={[3, 12]}
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
