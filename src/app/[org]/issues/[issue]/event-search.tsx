'use client';

import { Search } from 'lucide-react';
import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { useSearchField } from '#app/shell/use-shortcuts.ts';
import { type PageFilters, withFilters } from '#app/url-state.ts';
import { Input } from '#ui/field.tsx';
import { onDemand, useOnDemand } from '#ui/on-demand/on-demand.ts';

/** Most readers of an issue search nothing. */
const searchBox = onDemand(() => import('#app/[org]/search-box/search-box.tsx'));
const PLACEHOLDER = 'Search events: release:, user.email:, a tag, or text';

/** The search that a view of an issue is narrowed by; it goes into the address. */
export function EventSearch({
  organizationSlug,
  filters,
  query,
  error,
}: {
  organizationSlug: string;
  /** Of the project. */
  filters: PageFilters;
  query: string;
  /** Why the query cannot be searched for; null when it can. */
  error: string | null;
}) {
  const router = useRouter();
  const pathname = usePathname();
  const parameters = useSearchParams();
  const input = useSearchField();
  const [isAsked, setIsAsked] = useState(query !== '');
  /** What was typed before the box arrived. */
  const [typed, setTyped] = useState<string | null>(null);
  const box = useOnDemand(searchBox, isAsked);
  // Whoever was in the field before the box arrived goes on in it.
  const isTyping = useRef(false);
  useEffect(() => {
    if (box && isTyping.current) input.current?.focus();
  }, [box, input]);

  function search(text: string) {
    setTyped(null);
    router.push(withFilters(pathname, parameters, ['query'], { query: text === '' ? null : text }));
  }

  if (!box) {
    return (
      <search className="mb-3 min-w-0 flex-1 basis-72">
        <form action={() => search((typed ?? query).trim())} className="relative flex items-center">
          <Search aria-hidden className="absolute left-2.5 size-4 text-text-muted" />
          <Input
            ref={input}
            role="combobox"
            aria-expanded={false}
            aria-label="Search events"
            autoComplete="off"
            placeholder={PLACEHOLDER}
            value={typed ?? query}
            onChange={(event) => setTyped(event.target.value)}
            onFocus={() => {
              isTyping.current = true;
              setIsAsked(true);
            }}
            onBlur={() => {
              isTyping.current = false;
            }}
            className="mono pl-8.5 text-sm"
          />
        </form>
      </search>
    );
  }
  return (
    <div className="min-w-0 flex-1 basis-72">
      <box.SearchBox
        key={query}
        organizationSlug={organizationSlug}
        filters={filters}
        subject="events"
        query={typed ?? query}
        clearedQuery=""
        placeholder={PLACEHOLDER}
        onSearch={search}
        error={error}
        inputRef={input}
      />
    </div>
  );
}
