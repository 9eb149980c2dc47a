'use client';

import { Search, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type RefObject, useId, useMemo, useRef, useState } from 'react';
import type { PageFilters } from '#app/url-state.ts';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { formatPlural } from '#ui/format-number.ts';
import { onDemand, useOnDemand } from '#ui/on-demand/on-demand.ts';
import {
  editFilter,
  focusPart,
  isFilter,
  openDraft,
  removeFilter,
  searchOf,
  typeText,
} from './search-draft.ts';
import { SearchError } from './search-error.tsx';
import { SearchHint } from './search-hint.tsx';
import { SearchParts } from './search-parts.tsx';
import type { SearchSubject } from './search-subject.ts';
import { findInvalidFilter } from './search-term.ts';
import { useSearchDraft } from './use-search-draft.ts';

/** What is needed once somebody searches; the parser of searches is part of it. */
const searchHelp = onDemand(async () => {
  const [{ SearchPopup }, { filterProblem }, { keepRecentSearch }] = await Promise.all([
    import('./search-popup.tsx'),
    import('./filter-problem.ts'),
    import('./recent-searches.ts'),
  ]);
  return { SearchPopup, filterProblem, keepRecentSearch };
});

/**
 * The search of a list. Its filters are chips, which the arrow keys reach from the text around them. While somebody
 * types, arrows choose among suggestions and Enter takes the chosen one; without one Enter searches. Escape closes the
 * suggestions, then puts back what was there. As a field of a form, what is typed counts once the field is left.
 */
export function SearchBox({
  organizationSlug,
  filters,
  subject,
  query,
  clearedQuery,
  placeholder,
  onSearch,
  trailing,
  error,
  inputRef,
  field = null,
}: {
  organizationSlug: string;
  /** What the page is narrowed to: suggestions and their counts are of that. */
  filters: PageFilters;
  /** What is searched for: which keys are known depends on it. */
  subject: SearchSubject;
  query: string;
  /** What clearing goes back to. */
  clearedQuery: string;
  placeholder: string;
  onSearch: (query: string) => void;
  /** Stands beside the box. */
  trailing?: ReactNode;
  /** Why the query cannot be searched for; null when it can. It may name a character. */
  error: string | null;
  inputRef: RefObject<HTMLInputElement | null>;
  /** In a form: the id that its label names, and the id of its help text. */
  field?: { id: string; helpId: string } | null;
}) {
  const ownId = useId();
  const ids = { popup: `${ownId}-suggestions`, error: `${ownId}-error`, filters: `${ownId}-filters` };
  const { draft, box, announcement, move, reset, onType, onSelect, onTextKey, onFilterKey } = useSearchDraft(
    query,
    inputRef,
  );
  const [isOpen, setIsOpen] = useState(false);
  const [list, setList] = useState({ isShown: false, activeId: null as string | null });
  const listKeys = useRef<((key: string) => boolean) | null>(null);
  const help = useOnDemand(searchHelp, isOpen);
  const opened = useMemo(() => searchOf(openDraft(query).parts), [query]);

  const { parts, at } = draft;
  const search = searchOf(parts);
  // The field waits after the filter that has the focus.
  const fieldAt = isFilter(at) ? at + 1 : at;
  const isLast = fieldAt === parts.length - 1;
  const text = parts[fieldAt] ?? '';
  const isListed = isOpen && at === fieldAt;

  const invalid = findInvalidFilter(query, error);
  const problems = parts.map((part, place) => {
    if (!isFilter(place)) return null;
    return part === invalid ? error : (help?.filterProblem(part, subject) ?? null);
  });
  const problem = error ?? problems.find((each) => each !== null) ?? null;

  function submit(next: string) {
    setIsOpen(false);
    if (next !== clearedQuery) help?.keepRecentSearch(() => localStorage, organizationSlug, subject, next);
    onSearch(next);
  }

  function replace(next: string) {
    reset(next);
    submit(next);
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing) return;
    if (!(isListed && listKeys.current?.(event.key)) && !onTextKey(event)) {
      if (event.key === 'ArrowDown') setIsOpen(true);
      else if (event.key === 'Enter' && field) {
        // No page is loaded that would show what was written as chips.
        move(openDraft(search));
        submit(search);
      } else if (event.key !== 'Escape') return;
      else if (isListed && list.isShown) setIsOpen(false);
      else {
        reset(query);
        event.currentTarget.blur();
      }
    }
    event.preventDefault();
  }

  return (
    <Frame isField={field !== null}>
      <div className="flex items-start gap-2">
        <Submitted action={field ? null : () => submit(search)}>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: the field in it is what people use */}
          <div
            ref={box}
            onMouseDown={(event) => {
              if (event.target !== event.currentTarget) return;
              event.preventDefault();
              setIsOpen(true);
              move(focusPart(draft, parts.length - 1));
            }}
            onBlur={({ currentTarget, relatedTarget }) => {
              if (currentTarget.contains(relatedTarget)) return;
              setIsOpen(false);
              reset(search);
              if (field && search !== opened) submit(search);
            }}
            className={cx(
              'flex min-h-9 flex-wrap items-center gap-1 rounded-md border bg-surface-raised py-1 pr-1.5 pl-8.5 outline-accent-line transition-colors has-[input:focus-visible]:outline-1',
              field ? 'sm:pr-10' : 'sm:pr-28',
              error === null ? 'border-border-control hover:border-text-faint' : 'border-danger',
            )}
          >
            <Search
              aria-hidden
              className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-text-muted"
            />
            <SearchParts
              parts={parts}
              fieldAt={fieldAt}
              problems={problems}
              onEdit={(place, selected) => {
                setIsOpen(true);
                move(editFilter(draft, place, selected));
              }}
              onRemove={(place) => replace(searchOf(removeFilter(draft, place).parts))}
              onFilterKey={onFilterKey}
              onText={(place) => move(focusPart(draft, place))}
              field={
                <input
                  ref={inputRef}
                  id={field?.id}
                  type="text"
                  role="combobox"
                  aria-expanded={isListed && list.isShown}
                  aria-controls={ids.popup}
                  aria-activedescendant={(isListed && list.activeId) || undefined}
                  aria-autocomplete="list"
                  autoComplete="off"
                  autoCapitalize="off"
                  spellCheck={false}
                  enterKeyHint={field ? undefined : 'search'}
                  aria-label={field ? undefined : `Search ${subject}`}
                  aria-invalid={problem !== null || undefined}
                  aria-describedby={
                    cx(problem !== null && ids.error, parts.length > 1 && ids.filters, field?.helpId) ||
                    undefined
                  }
                  placeholder={parts.length === 1 ? placeholder : undefined}
                  value={text}
                  onChange={(event) => {
                    setIsOpen(true);
                    onType(event);
                  }}
                  onSelect={(event) => onSelect(event.currentTarget)}
                  onFocus={() => setIsOpen(true)}
                  onBlur={() => setIsOpen(false)}
                  onClick={() => setIsOpen(true)}
                  onKeyDown={onKeyDown}
                  style={isLast ? undefined : { width: `${text.length + 1}ch` }}
                  className={cx(
                    'mono h-6.5 bg-transparent text-sm outline-none',
                    isLast ? 'min-w-16 flex-1' : 'max-w-full',
                  )}
                />
              }
            />
            <div className="ml-auto flex h-7 items-center gap-1.5 sm:absolute sm:top-1 sm:right-1.5">
              {search !== clearedQuery ? (
                <Button
                  variant="ghost"
                  size="sm"
                  iconOnly
                  aria-label="Clear search"
                  title={clearedQuery === '' ? undefined : `Back to ${clearedQuery}`}
                  onClick={() => replace(clearedQuery)}
                >
                  <X aria-hidden className="size-3.5" />
                </Button>
              ) : null}
              {field ? null : <SearchHint isChanged={search !== opened} />}
            </div>
          </div>
          {help && isListed ? (
            <help.SearchPopup
              id={ids.popup}
              organizationSlug={organizationSlug}
              filters={filters}
              subject={subject}
              search={search}
              text={text}
              selection={draft.selection}
              keys={listKeys}
              onState={setList}
              onComplete={(next, caret) => move(typeText(draft, next, caret))}
              onSearch={replace}
            />
          ) : null}
        </Submitted>
        {trailing}
      </div>
      <span id={ids.filters} className="sr-only">
        {`${formatPlural((parts.length - 1) / 2, 'filter')}. Use the left arrow key to edit them.`}
      </span>
      <span aria-live="polite" className="sr-only">
        {announcement}
      </span>
      {problem === null ? null : (
        <SearchError id={ids.error} error={problem} isAllText={parts.length === 1 && search === query} />
      )}
    </Frame>
  );
}

function Frame({ isField, children }: { isField: boolean; children: ReactNode }) {
  return isField ? <div>{children}</div> : <search className="mb-3 block">{children}</search>;
}

/** A form of its own, unless it stands in one. */
function Submitted({ action, children }: { action: (() => void) | null; children: ReactNode }) {
  const className = 'relative min-w-0 flex-1';
  return action ? (
    <form action={action} className={className}>
      {children}
    </form>
  ) : (
    <div className={className}>{children}</div>
  );
}
