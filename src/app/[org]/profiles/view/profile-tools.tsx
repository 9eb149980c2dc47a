'use client';

import { Search } from 'lucide-react';
import { useSearchField } from '#app/shell/use-shortcuts.ts';
import { Checkbox } from '#ui/checkbox.tsx';
import { Input } from '#ui/field.tsx';
import { LIBRARY_COLOR, OWN_COLOR } from './frame-colors.ts';

/** The search in the functions of a profile, and which of them are shown. */
export function ProfileTools({
  query,
  onQuery,
  found,
  areLibrariesHidden,
  onHideLibraries,
}: {
  query: string;
  onQuery: (query: string) => void;
  /** What the search came to, in words. */
  found: string;
  areLibrariesHidden: boolean;
  /** null where there are none. */
  onHideLibraries: ((areHidden: boolean) => void) | null;
}) {
  const field = useSearchField();
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b px-2 py-1.5">
      <search className="flex min-w-0 flex-1 basis-64 items-center gap-2">
        <span className="relative flex min-w-0 max-w-96 flex-1 items-center">
          <Search aria-hidden className="absolute left-2 size-4 text-text-muted" />
          <Input
            ref={field}
            type="search"
            maxLength={250}
            aria-label="Search functions"
            placeholder="Search functions, modules, files"
            value={query}
            onChange={(event) => onQuery(event.target.value)}
            onKeyDown={(event) => event.key === 'Escape' && onQuery('')}
            className="mono pl-8 text-sm"
          />
        </span>
        <span role="status" className="numbers whitespace-nowrap text-text-muted text-xs">
          {found}
        </span>
      </search>
      <span className="flex items-center gap-3 text-text-muted text-xs">
        <Legend color={OWN_COLOR}>In app</Legend>
        <Legend color={LIBRARY_COLOR}>Library</Legend>
      </span>
      {onHideLibraries ? (
        // biome-ignore lint/a11y/noLabelWithoutControl: Checkbox is the control
        <label className="flex items-center gap-1.5 text-xs">
          <Checkbox
            checked={areLibrariesHidden}
            onChange={(event) => onHideLibraries(event.target.checked)}
          />
          Hide library frames
        </label>
      ) : null}
    </div>
  );
}

function Legend({ color, children }: { color: string; children: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <span aria-hidden className="size-3 rounded-xs border" style={{ background: color }} />
      {children}
    </span>
  );
}
