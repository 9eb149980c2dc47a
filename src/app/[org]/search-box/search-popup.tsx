'use client';

import { type RefObject, useEffect, useState } from 'react';
import { filterEntries, type PageFilters, periodLabel } from '#app/url-state.ts';
import type { Suggestion } from '#product/search/suggest/suggestions.ts';
import { formatCount, formatPlural } from '#ui/format-number.ts';
import { clearRecentSearches, readRecentSearches } from './recent-searches.ts';
import type { Selection } from './search-draft.ts';
import type { SearchSubject } from './search-subject.ts';
import { LIST_CLASS, SuggestionOption } from './suggestion-option.tsx';
import { applySuggestion, useSuggestions } from './use-suggestions.ts';

/** The list under a search field, as the field has to announce it. */
export type PopupState = { isShown: boolean; activeId: string | null };

/** How the text could go on; before anything is typed, recent searches as well. */
export function SearchPopup({
  id,
  organizationSlug,
  filters,
  subject,
  search,
  text,
  selection,
  keys,
  onState,
  onComplete,
  onSearch,
}: {
  /** Of the list, which the field names. */
  id: string;
  organizationSlug: string;
  filters: PageFilters;
  subject: SearchSubject;
  /** The whole search. */
  search: string;
  /** The part that is being typed. */
  text: string;
  /** In the text; a suggestion takes the place of what is selected. */
  selection: Selection;
  /** Gets what the list does with keys of the field; it answers whether it did something. */
  keys: RefObject<((key: string) => boolean) | null>;
  onState: (state: PopupState) => void;
  /** The part with a suggestion in it. */
  onComplete: (text: string, caret: number) => void;
  onSearch: (search: string) => void;
}) {
  const [recent, setRecent] = useState(() =>
    readRecentSearches(() => localStorage, organizationSlug, subject),
  );
  const [chosen, setChosen] = useState({ text: '', index: -1 });
  const { suggestions } = useSuggestions({
    organizationSlug,
    filters: filterEntries(filters),
    subject,
    text,
    caret: selection.start,
    isOpen: true,
  });

  const searches = text.trim() === '' ? recent.filter((each) => each !== search) : [];
  const found = suggestions?.items ?? [];
  const choices: (() => void)[] = searches.map((each) => () => onSearch(each));
  const clearAt = searches.length > 0 ? choices.push(clear) - 1 : -1;
  const foundAt = choices.length;
  for (const suggestion of found) choices.push(() => complete(suggestion));
  const active = chosen.text === text && chosen.index < choices.length ? chosen.index : -1;
  const optionId = (index: number) => `${id}-${index}`;
  const activeId = active < 0 ? null : optionId(active);

  function clear() {
    clearRecentSearches(() => localStorage, organizationSlug, subject);
    setRecent([]);
    setChosen({ text, index: -1 });
  }

  function complete(suggestion: Suggestion) {
    if (!suggestions) return;
    const replaced = { ...suggestions, end: Math.max(suggestions.end, selection.end) };
    const applied = applySuggestion(text, replaced, suggestion);
    onComplete(applied.text, applied.caret);
  }

  useEffect(() => {
    keys.current = (key) => {
      const choose = choices[active];
      if (choices.length === 0) return false;
      if (key === 'ArrowDown') setChosen({ text, index: (active + 1) % choices.length });
      else if (key === 'ArrowUp') setChosen({ text, index: active <= 0 ? choices.length - 1 : active - 1 });
      else if ((key === 'Enter' || key === 'Tab') && choose) choose();
      else return false;
      return true;
    };
    return () => {
      keys.current = null;
    };
  });

  const isShown = choices.length > 0;
  useEffect(() => {
    onState({ isShown, activeId });
    if (activeId !== null) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [isShown, activeId, onState]);

  if (!isShown) return null;
  const isCounted = found.some(({ events }) => events !== null);
  const option = (index: number) => ({
    id: optionId(index),
    isActive: index === active,
    onChoose: choices[index]!,
  });
  return (
    <div id={id} role="listbox" aria-label="Suggestions" className={LIST_CLASS}>
      {searches.length > 0 ? (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox
        <div role="group" aria-label="Recent searches">
          <Heading label="Recent searches" />
          {searches.map((each, index) => (
            <SuggestionOption key={each} label={each} {...option(index)} />
          ))}
          <SuggestionOption label="Clear recent searches" {...option(clearAt)} />
        </div>
      ) : null}
      {suggestions ? (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox
        <div role="group" aria-label={suggestions.kind === 'key' ? 'Filters' : 'Values'}>
          <Heading
            label={suggestions.kind === 'key' ? 'Filters' : 'Values'}
            aside={isCounted ? countedWhere(filters) : null}
          />
          {found.map((suggestion, index) => (
            <SuggestionOption key={suggestion.text} label={suggestion.label} {...option(foundAt + index)}>
              <Aside suggestion={suggestion} />
            </SuggestionOption>
          ))}
        </div>
      ) : null}
    </div>
  );
}

/** What the numbers beside values count. */
function countedWhere({ projects, environments, time }: PageFilters): string {
  const [only] = projects;
  const where =
    projects.length === 1 ? only : projects.length === 0 ? 'all projects' : `${projects.length} projects`;
  const which = environments.length > 0 ? `, ${environments.join(', ')}` : '';
  return `Events in ${where}${which} · ${periodLabel(time) ?? 'Selected time range'}`;
}

function Heading({ label, aside = null }: { label: string; aside?: string | null }) {
  return (
    <div
      aria-hidden
      className="flex flex-wrap justify-between gap-x-4 px-2.5 pt-1.5 pb-1 font-medium text-text-muted text-xs"
    >
      <span>{label}</span>
      {aside === null ? null : <span className="break-anything font-normal">{aside}</span>}
    </div>
  );
}

function Aside({ suggestion: { hint, events } }: { suggestion: Suggestion }) {
  if (events !== null) {
    return (
      <span className="numbers shrink-0 text-text-muted text-xs" title={formatPlural(events, 'event')}>
        <span aria-hidden>{formatCount(events)}</span>
        <span className="sr-only">{formatPlural(events, 'event')}</span>
      </span>
    );
  }
  return hint === null ? null : <span className="truncate text-text-muted text-xs">{hint}</span>;
}
