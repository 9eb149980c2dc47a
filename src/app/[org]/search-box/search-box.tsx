'use client';

import { Search, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type RefObject, useState } from 'react';
import type { Suggestion } from '#product/search/suggest/suggest-search.ts';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { Input } from '#ui/field.tsx';
import { SearchHint } from './search-hint.tsx';
import { errorPosition } from './search-term.ts';
import { applySuggestion, useSuggestions } from './use-suggestions.ts';

/**
 * The search of a list. While somebody types, arrows choose among suggestions and Enter takes the chosen one; without
 * one Enter searches. Escape closes the suggestions, then puts back what was there.
 */
export function SearchBox({
  organizationSlug,
  projectSlugs,
  subject,
  query,
  clearedQuery,
  placeholder,
  onSearch,
  trailing,
  error,
  inputRef,
}: {
  organizationSlug: string;
  projectSlugs: readonly string[];
  /** What is searched for: which keys are known depends on it. */
  subject: 'issues' | 'events';
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
}) {
  const [text, setText] = useState(query);
  const [caret, setCaret] = useState(query.length);
  const [active, setActive] = useState(-1);
  const [isTyping, setIsTyping] = useState(false);
  const { suggestions, close } = useSuggestions({
    organizationSlug,
    projectSlugs,
    subject,
    text,
    caret,
    isOpen: isTyping,
  });

  function edit(next: string, at: number) {
    setText(next);
    setCaret(at);
    setActive(-1);
    setIsTyping(true);
  }

  function choose(suggestion: Suggestion) {
    if (!suggestions) return;
    const applied = applySuggestion(text, suggestions, suggestion);
    edit(applied.text, applied.caret);
    // The caret follows once the field has the new text.
    requestAnimationFrame(() => inputRef.current?.setSelectionRange(applied.caret, applied.caret));
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    const items = suggestions?.items ?? [];
    const chosen = items[active];
    if (event.key === 'ArrowDown' && items.length > 0) setActive((active + 1) % items.length);
    else if (event.key === 'ArrowUp' && items.length > 0)
      setActive(active <= 0 ? items.length - 1 : active - 1);
    else if ((event.key === 'Enter' || event.key === 'Tab') && chosen) choose(chosen);
    else if (event.key === 'Escape' && suggestions) close();
    else if (event.key === 'Escape') {
      setText(query);
      event.currentTarget.blur();
      return;
    } else return;
    event.preventDefault();
  }

  const errorAt = error === null ? null : errorPosition(error);
  return (
    <search className="mb-3 block">
      <div className="flex items-center gap-2">
        <form
          action={() => {
            setIsTyping(false);
            onSearch(text.trim());
          }}
          className="relative flex min-w-0 flex-1 items-center"
        >
          <Search aria-hidden className="absolute left-2.5 size-4 text-text-muted" />
          <Input
            ref={inputRef}
            name="query"
            type="text"
            role="combobox"
            aria-expanded={suggestions !== null}
            aria-controls={SUGGESTIONS_ID}
            aria-activedescendant={suggestions && active >= 0 ? suggestionId(active) : undefined}
            aria-autocomplete="list"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            enterKeyHint="search"
            aria-label={`Search ${subject}`}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? 'search-error' : undefined}
            placeholder={placeholder}
            value={text}
            onChange={(event) =>
              edit(event.target.value, event.target.selectionStart ?? event.target.value.length)
            }
            onSelect={(event) => setCaret(event.currentTarget.selectionStart ?? text.length)}
            onBlur={() => setIsTyping(false)}
            onKeyDown={onKeyDown}
            className="mono peer pr-20 pl-8.5 text-sm"
          />
          <div className="absolute right-1.5 flex items-center gap-1.5">
            {text !== clearedQuery ? (
              <Button
                variant="ghost"
                size="sm"
                iconOnly
                aria-label="Clear search"
                title={clearedQuery === '' ? undefined : `Back to ${clearedQuery}`}
                onClick={() => {
                  setText(clearedQuery);
                  onSearch(clearedQuery);
                }}
              >
                <X aria-hidden className="size-3.5" />
              </Button>
            ) : null}
            <SearchHint isChanged={text !== query} />
          </div>
          {suggestions ? (
            <SuggestionList items={suggestions.items} active={active} onChoose={choose} />
          ) : null}
        </form>
        {trailing}
      </div>
      {error ? (
        <div id="search-error" role="alert" className="mt-1.5 text-danger text-xs">
          {errorAt !== null && text === query ? (
            <pre aria-hidden className="mono overflow-hidden pl-8.5 text-sm leading-4">
              {' '.repeat(Math.max(0, errorAt - 1))}▲
            </pre>
          ) : null}
          <p className="break-anything">{error}</p>
        </div>
      ) : null}
    </search>
  );
}

const SUGGESTIONS_ID = 'search-suggestions';
const suggestionId = (index: number): string => `${SUGGESTIONS_ID}-${index}`;

/** What the search could go on with, under its field. */
function SuggestionList({
  items,
  active,
  onChoose,
}: {
  items: readonly Suggestion[];
  /** Index of the one that Enter takes; -1 for none. */
  active: number;
  onChoose: (suggestion: Suggestion) => void;
}) {
  return (
    <div
      id={SUGGESTIONS_ID}
      role="listbox"
      aria-label="Suggestions"
      className="absolute top-full right-0 left-0 z-30 mt-1 max-h-80 overflow-y-auto rounded-lg border bg-surface-raised p-1 shadow-float"
    >
      {items.map((item, index) => (
        <div
          key={item.text}
          id={suggestionId(index)}
          role="option"
          aria-selected={index === active}
          tabIndex={-1}
          // The field keeps the focus, so that typing goes on.
          onMouseDown={(event) => {
            event.preventDefault();
            onChoose(item);
          }}
          className={cx(
            'flex cursor-pointer items-baseline justify-between gap-4 rounded-md px-2.5 py-1.5 text-sm',
            index === active ? 'bg-accent-soft' : 'hover:bg-surface-hover',
          )}
        >
          <span className="mono break-anything">{item.label}</span>
          {item.hint ? (
            <span className="shrink-0 truncate text-text-muted text-xs max-sm:hidden">{item.hint}</span>
          ) : null}
        </div>
      ))}
    </div>
  );
}
