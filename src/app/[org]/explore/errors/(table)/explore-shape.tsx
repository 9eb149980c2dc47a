'use client';

import { Plus, X } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useId, useState, useTransition } from 'react';
import { useSearchField } from '#app/shell/use-shortcuts.ts';
import { Button } from '#ui/button.tsx';
import { Input } from '#ui/field.tsx';
import { SearchBox } from '../../../search-box/search-box.tsx';
import { type ExplorePlace, type ExploreState, exploreHref } from '../explore-state.ts';

/** How the events are shown: each by itself with some columns, or grouped by a field. */
export function ExploreShape({
  organizationSlug,
  state,
  fields,
  error,
}: ExplorePlace & {
  /** Names that are known; any other tag may be written too. */
  fields: readonly string[];
  /** Why the field cannot be used; null when it can. */
  error: string | null;
}) {
  const router = useRouter();
  const id = useId();
  const [isPending, startTransition] = useTransition();
  const go = (change: Partial<ExploreState>) =>
    startTransition(() => router.push(exploreHref(organizationSlug, state, change), { scroll: false }));
  return (
    <div aria-busy={isPending} className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
      <datalist id={`${id}-fields`}>
        {fields.map((field) => (
          <option key={field} value={field} />
        ))}
      </datalist>
      <FieldForm
        // What the address names replaces what was typed before.
        key={state.group ?? ''}
        label="Group by"
        placeholder="field or tag"
        list={`${id}-fields`}
        value={state.group ?? ''}
        submit="Apply"
        onSubmit={(group) => go({ group: group || null, groupSort: 'events', isDescending: true })}
        onClear={state.group === null ? null : () => go({ group: null })}
        describedBy={error ? `${id}-error` : undefined}
      />
      {state.group === null ? (
        <>
          <ul aria-label="Columns" className="flex flex-wrap items-center gap-1.5">
            {state.columns.map((column) => (
              <li
                key={column}
                className="flex h-7 items-center gap-1 rounded-md border bg-surface-raised pr-0.5 pl-2 text-xs"
              >
                <bdi className="mono max-w-40 truncate">{column}</bdi>
                <button
                  type="button"
                  aria-label={`Remove column ${column}`}
                  disabled={state.columns.length === 1}
                  onClick={() => go({ columns: state.columns.filter((each) => each !== column) })}
                  className="grid size-6 place-items-center rounded-sm text-text-muted hover:bg-surface-hover hover:text-text disabled:opacity-40"
                >
                  <X aria-hidden className="size-3" />
                </button>
              </li>
            ))}
          </ul>
          <FieldForm
            key={state.columns.join('\n')}
            label="Add column"
            placeholder="field or tag"
            list={`${id}-fields`}
            value=""
            submit={<Plus aria-label="Add" className="size-3.5" />}
            onSubmit={(column) => {
              if (column && !state.columns.includes(column)) go({ columns: [...state.columns, column] });
            }}
            onClear={null}
            describedBy={error ? `${id}-error` : undefined}
          />
        </>
      ) : null}
      {error ? (
        <p id={`${id}-error`} role="alert" className="break-anything w-full text-danger text-xs">
          {error}
        </p>
      ) : null}
    </div>
  );
}

function FieldForm({
  label,
  placeholder,
  list,
  value,
  submit,
  onSubmit,
  onClear,
  describedBy,
}: {
  label: string;
  placeholder: string;
  list: string;
  value: string;
  submit: React.ReactNode;
  onSubmit: (value: string) => void;
  onClear: (() => void) | null;
  describedBy: string | undefined;
}) {
  const id = useId();
  const [text, setText] = useState(value);
  return (
    <form action={() => onSubmit(text.trim())} className="flex items-center gap-1.5">
      <label htmlFor={id} className="shrink-0 text-sm text-text-muted">
        {label}
      </label>
      <Input
        isCompact
        id={id}
        list={list}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={200}
        placeholder={placeholder}
        aria-describedby={describedBy}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="mono w-44 text-xs"
      />
      {text.trim() !== value ? (
        <Button type="submit" size="sm">
          {submit}
        </Button>
      ) : onClear ? (
        <Button size="sm" variant="ghost" onClick={onClear}>
          Show events
        </Button>
      ) : null}
    </form>
  );
}

/** Which events are asked about; the query goes into the address. */
export function ExploreSearch({
  organizationSlug,
  state,
  error,
}: ExplorePlace & {
  error: string | null;
}) {
  const router = useRouter();
  const field = useSearchField();
  const [isPending, startTransition] = useTransition();
  return (
    <div aria-busy={isPending}>
      <SearchBox
        key={state.query}
        organizationSlug={organizationSlug}
        filters={state.filters}
        subject="events"
        query={state.query}
        clearedQuery=""
        placeholder="Search events: browser.name:Firefox has:user.email text"
        onSearch={(query) =>
          startTransition(() =>
            router.push(exploreHref(organizationSlug, state, { query }), { scroll: false }),
          )
        }
        error={error}
        inputRef={field}
      />
    </div>
  );
}
