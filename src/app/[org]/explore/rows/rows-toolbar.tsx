'use client';

import { useRouter } from 'next/navigation';
import { useId, useOptimistic, useTransition } from 'react';
import { Checkbox } from '#ui/checkbox.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { FieldChips } from '../field-chips.tsx';
import { KnownNames } from '../known-names.tsx';
import { ROWS_PAGES, type RowsPlace, type RowsState, rowsHref } from './rows-state.ts';

const VIEWS = [
  { value: 'samples', label: 'Rows' },
  { value: 'groups', label: 'Groups' },
] as const;

/** How rows are shown: each by itself with some columns, or grouped, with what is calculated of each group. */
export function RowsShape({
  place,
  names,
  functions,
  error,
}: {
  place: RowsPlace;
  /** Names that are known; any other attribute may be written too. */
  names: readonly string[];
  /** Functions to choose from; any other may be written too. */
  functions: readonly string[];
  /** Why the table cannot be made; null when it can. */
  error: string | null;
}) {
  const router = useRouter();
  const id = useId();
  const [isPending, startTransition] = useTransition();
  // What is chosen next adds to what was just chosen, before its page has come.
  const [state, setState] = useOptimistic(place.state);
  const go = (change: Partial<RowsState>) =>
    startTransition(() => {
      setState({ ...state, ...change });
      router.push(rowsHref({ ...place, state }, change), { scroll: false });
    });
  const describedBy = error ? `${id}-error` : undefined;
  return (
    <div aria-busy={isPending} className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
      <KnownNames id={id} names={names} functions={functions} />
      <Segmented
        label="View"
        value={state.view}
        options={VIEWS}
        onValueChange={(view) => go({ view, sort: null })}
      />
      {state.view === 'samples' ? (
        <FieldChips
          label="Columns"
          one="column"
          names={state.fields}
          known={`${id}-names`}
          placeholder="field or attribute"
          min={1}
          onChange={(fields) => go({ fields })}
          describedBy={describedBy}
        />
      ) : (
        <FieldChips
          label="Group by"
          one="group"
          names={state.groupBy}
          known={`${id}-names`}
          placeholder="field or attribute"
          min={0}
          onChange={(groupBy) => go({ groupBy, sort: null })}
          describedBy={describedBy}
        />
      )}
      <FieldChips
        label="Functions"
        one="function"
        names={state.functions}
        known={`${id}-functions`}
        placeholder={ROWS_PAGES[state.page].functionHint}
        min={1}
        onChange={(chosen) => go({ functions: chosen, sort: null })}
        describedBy={describedBy}
      />
      <label htmlFor={`${id}-compare`} className="flex items-center gap-2 text-sm">
        <Checkbox
          id={`${id}-compare`}
          checked={state.isCompared}
          onChange={(event) => go({ isCompared: event.target.checked })}
        />
        Compare with the previous period
      </label>
      {error ? (
        <p id={`${id}-error`} role="alert" className="break-anything w-full text-danger text-xs">
          {error}
        </p>
      ) : null}
    </div>
  );
}
