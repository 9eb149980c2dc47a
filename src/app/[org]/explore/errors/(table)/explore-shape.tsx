'use client';

import { useRouter } from 'next/navigation';
import { useId, useTransition } from 'react';
import { useSearchField } from '#app/shell/use-shortcuts.ts';
import { SearchBox } from '../../../search-box/search-box.tsx';
import { FieldChips, FieldForm } from '../../field-chips.tsx';
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
        known={`${id}-fields`}
        value={state.group ?? ''}
        submit="Apply"
        onSubmit={(group) => go({ group: group || null, groupSort: 'events', isDescending: true })}
        onClear={state.group === null ? null : () => go({ group: null })}
        describedBy={error ? `${id}-error` : undefined}
      />
      {state.group === null ? (
        <FieldChips
          label="Columns"
          one="column"
          names={state.columns}
          known={`${id}-fields`}
          placeholder="field or tag"
          min={1}
          onChange={(columns) => go({ columns })}
          describedBy={error ? `${id}-error` : undefined}
        />
      ) : null}
      {error ? (
        <p id={`${id}-error`} role="alert" className="break-anything w-full text-danger text-xs">
          {error}
        </p>
      ) : null}
    </div>
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
