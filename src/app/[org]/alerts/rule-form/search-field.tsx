'use client';

import { type KeyboardEvent, useId, useState } from 'react';
import type { SearchSubject } from '#app/[org]/search-box/search-subject.ts';
import { LIST_CLASS, SuggestionOption } from '#app/[org]/search-box/suggestion-option.tsx';
import { useSuggestions } from '#app/[org]/search-box/use-suggestions.ts';
import type { Suggestion } from '#product/search/suggest/suggestions.ts';
import { cx } from '#ui/cx.ts';
import { Input } from '#ui/field.tsx';

/** Where suggestions come from: the search knows tags, their values, and how a query could go on. */
export type SearchPlace = { organizationSlug: string; projectSlug: string };

/**
 * A text field that offers what the project has sent. `prefix` is what a search for it begins with: `has:` for names of
 * tags, `plan:` for values of the tag plan, null to offer nothing.
 */
export function SearchField({
  label,
  place: { organizationSlug, projectSlug },
  subject = 'events',
  prefix,
  value,
  isList = false,
  onChange,
  placeholder,
  isInvalid = false,
  describedBy,
  className,
}: {
  /** Said to assistive technology: the field stands in a sentence. */
  label: string;
  place: SearchPlace;
  /** What is searched. */
  subject?: SearchSubject;
  prefix: string | null;
  value: string;
  /** Of several values with commas between them the last one is completed. */
  isList?: boolean;
  onChange: (value: string) => void;
  placeholder?: string;
  isInvalid?: boolean;
  describedBy?: string;
  className?: string;
}) {
  const listId = useId();
  const [active, setActive] = useState(-1);
  const [isTyping, setIsTyping] = useState(false);
  const { kept, ...requested } = completionOf(prefix ?? '', value, isList);
  const { suggestions, close } = useSuggestions({
    organizationSlug,
    filters: { project: projectSlug },
    subject,
    ...requested,
    isOpen: isTyping && prefix !== null,
  });
  const items = suggestions?.items ?? [];

  function edit(text: string, isFinished: boolean) {
    onChange(text);
    setActive(-1);
    setIsTyping(!isFinished);
  }

  const choose = (item: Suggestion) => edit(kept + item.label, true);

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    const chosen = items[active];
    if (event.key === 'ArrowDown' && items.length > 0) setActive((active + 1) % items.length);
    else if (event.key === 'ArrowDown') setIsTyping(true);
    else if (event.key === 'ArrowUp' && items.length > 0)
      setActive(active <= 0 ? items.length - 1 : active - 1);
    else if ((event.key === 'Enter' || event.key === 'Tab') && chosen) choose(chosen);
    else if (event.key === 'Escape' && items.length > 0) close();
    else return;
    event.preventDefault();
  }

  return (
    <span className={cx('relative block min-w-0', className)}>
      <Input
        type="text"
        role="combobox"
        aria-label={label}
        aria-expanded={items.length > 0}
        aria-controls={listId}
        aria-activedescendant={active >= 0 && items[active] ? `${listId}-${active}` : undefined}
        aria-autocomplete="list"
        aria-invalid={isInvalid || undefined}
        aria-describedby={describedBy}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        placeholder={placeholder}
        value={value}
        onChange={(event) => edit(event.target.value, false)}
        onBlur={() => setIsTyping(false)}
        onKeyDown={onKeyDown}
      />
      {items.length > 0 ? (
        <span id={listId} role="listbox" aria-label="Suggestions" className={cx(LIST_CLASS, 'min-w-48')}>
          {items.map((item, index) => (
            <SuggestionOption
              key={item.text}
              id={`${listId}-${index}`}
              label={item.label}
              isActive={index === active}
              onChoose={() => choose(item)}
            />
          ))}
        </span>
      ) : null}
    </span>
  );
}

/** What the search is requested to complete, and what of the value stays before it. */
type Completion = { text: string; caret: number; kept: string };

/**
 * A single value, after `prefix`, as a query of the search would have it: `has:` for names of tags, `plan:` for values of
 * the tag plan. Of several values with commas between them (`isList`) the last one.
 */
export function completionOf(prefix: string, value: string, isList: boolean): Completion {
  const kept = isList ? value.slice(0, value.lastIndexOf(',') + 1) : '';
  const typed = value.slice(kept.length).trim();
  // With spaces in it, it would be several words.
  const text = prefix + (/\s/.test(typed) ? `"${typed}` : typed);
  return { text, caret: text.length, kept: kept === '' ? '' : `${kept} ` };
}
