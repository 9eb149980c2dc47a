'use client';

import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useId, useTransition } from 'react';
import { withFilters } from '#app/url-state.ts';
import { Input } from '#ui/field.tsx';
import { type ChosenVariable, VARIABLE_PARAMETER, variableEntries } from '../dashboard-state.ts';

/** What every widget is narrowed by, one field for each variable. A choice goes into the address. */
export function VariableFields({
  variables,
  values,
}: {
  variables: readonly ChosenVariable[];
  /** Values to choose from, by field; any other may be typed. */
  values: Readonly<Record<string, readonly string[]>>;
}) {
  const router = useRouter();
  const pathname = usePathname();
  const parameters = useSearchParams();
  const id = useId();
  const [isPending, startTransition] = useTransition();
  if (variables.length === 0) return null;

  function choose(field: string, value: string) {
    const next = variables.map((each) => (each.field === field ? { field, value } : each));
    startTransition(() =>
      router.push(
        withFilters(pathname, parameters, [VARIABLE_PARAMETER], {
          [VARIABLE_PARAMETER]: variableEntries(next),
        }),
        { scroll: false },
      ),
    );
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a line that wraps
    <div
      role="group"
      aria-label="Variables"
      aria-busy={isPending}
      className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2"
    >
      {variables.map(({ field, value }) => (
        <form
          key={`${field} ${value}`}
          action={(form) => choose(field, String(form.get('value') ?? '').trim())}
          className="flex items-center gap-1.5"
        >
          <label htmlFor={`${id}-${field}`} className="mono shrink-0 text-text-muted text-xs">
            {field}
          </label>
          <Input
            isCompact
            id={`${id}-${field}`}
            name="value"
            type="search"
            list={`${id}-${field}-values`}
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            placeholder="all"
            defaultValue={value}
            onBlur={(event) => {
              if (event.target.value.trim() !== value) event.target.form?.requestSubmit();
            }}
            className="w-44 text-xs"
          />
          <datalist id={`${id}-${field}-values`}>
            {(values[field] ?? []).map((each) => (
              <option key={each} value={each} />
            ))}
          </datalist>
        </form>
      ))}
    </div>
  );
}
