'use client';

import { Search, X } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Input } from '#ui/input.tsx';
import { Kbd } from '#ui/kbd.tsx';
import { QUERY_DEFAULT } from '../stream-url.ts';

/** The search of the stream; Enter searches, Escape puts back what was there. */
export function SearchBox({
  query,
  onSearch,
  error,
  errorAt,
  inputRef,
}: {
  query: string;
  onSearch: (query: string) => void;
  error: string | null;
  /** The character that the error is about, counted from 1. */
  errorAt: number | null;
  inputRef: RefObject<HTMLInputElement | null>;
}) {
  const [text, setText] = useState(query);
  return (
    <search className="mb-3 block">
      <form action={() => onSearch(text.trim())} className="relative flex items-center">
        <Search aria-hidden className="absolute left-2.5 size-4 text-text-muted" />
        <Input
          ref={inputRef}
          name="query"
          type="text"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="search"
          aria-label="Search issues"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? 'search-error' : undefined}
          placeholder="Search: is:unresolved level:error words"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            setText(query);
            event.currentTarget.blur();
          }}
          className="mono peer pr-20 pl-8.5 text-sm"
        />
        <div className="absolute right-1.5 flex items-center gap-1.5">
          {text !== QUERY_DEFAULT ? (
            <Button
              variant="ghost"
              size="sm"
              iconOnly
              aria-label="Clear the search"
              title={`Back to ${QUERY_DEFAULT}`}
              onClick={() => {
                setText(QUERY_DEFAULT);
                onSearch(QUERY_DEFAULT);
              }}
            >
              <X aria-hidden className="size-3.5" />
            </Button>
          ) : null}
          {text === query ? (
            <span className="hidden sm:block">
              <Kbd>/</Kbd>
            </span>
          ) : (
            <Button type="submit" size="sm" variant="ghost">
              Search
            </Button>
          )}
        </div>
      </form>
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
