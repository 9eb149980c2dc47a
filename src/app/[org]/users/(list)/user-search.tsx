'use client';

import { Search } from 'lucide-react';
import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useEffect, useId, useRef, useState, useTransition } from 'react';
import { useShortcuts } from '#app/shell/use-shortcuts.ts';
import { withFilters } from '#app/url-state.ts';
import { visibleText } from '#lib/visible-text.ts';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { Input } from '#ui/field.tsx';
import { loadData } from '#ui/navigation/load-data.ts';
import type { SuggestedUser } from './suggested-user.ts';

const SEARCH_CHARACTERS_MAX = 250;
/** People who type are not asked after each letter. */
const TYPING_MS = 200;

/** Looks for people by any of their names; the arrow keys choose among those that are suggested. */
export function UserSearch({ organizationSlug, query }: { organizationSlug: string; query: string }) {
  const router = useRouter();
  const pathname = usePathname();
  const parameters = useSearchParams();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(query);
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const [isPending, startTransition] = useTransition();
  const suggested = useSuggestions(organizationSlug, isOpen ? text.trim() : '', parameters.toString());
  const isShown = isOpen && suggested.length > 0;
  useShortcuts({ search: () => input.current?.focus() });

  const open = (key: string) =>
    startTransition(() =>
      router.push(
        withFilters(`/${organizationSlug}/users/${encodeURIComponent(key)}`, parameters, ['query'], {}),
      ),
    );

  return (
    <search className="min-w-0" aria-busy={isPending}>
      <form
        action={() => {
          setIsOpen(false);
          const chosen = suggested[active];
          if (isShown && chosen) return open(chosen.key);
          const wanted = text.trim();
          startTransition(() =>
            router.push(
              withFilters(pathname, parameters, ['query'], { query: wanted === '' ? null : wanted }),
            ),
          );
        }}
        className="flex items-center gap-2"
      >
        <span className="relative flex min-w-0 flex-1 items-center">
          <Search aria-hidden className="absolute left-2.5 size-4 text-text-muted" />
          <Input
            ref={input}
            isCompact
            role="combobox"
            aria-expanded={isShown}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={isShown && active >= 0 ? `${id}-${active}` : undefined}
            aria-label="Search users"
            autoComplete="off"
            enterKeyHint="search"
            maxLength={SEARCH_CHARACTERS_MAX}
            placeholder="Search by ID, email, username or IP address"
            value={text}
            className="pl-8.5"
            onChange={(event) => {
              setText(event.target.value);
              setIsOpen(true);
              setActive(-1);
            }}
            onBlur={() => setIsOpen(false)}
            onKeyDown={(event) => {
              if (event.key === 'Escape') return setIsOpen(false);
              const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
              if (step === 0 || !isShown) return;
              event.preventDefault();
              setActive((at) => Math.min(suggested.length - 1, Math.max(-1, at + step)));
            }}
          />
          <div
            id={`${id}-list`}
            role="listbox"
            aria-label="Users"
            hidden={!isShown}
            className="absolute inset-x-0 top-full z-20 mt-1 max-h-80 overflow-auto rounded-md bg-surface-raised py-1 shadow-float"
          >
            {suggested.map(({ key, about }, index) => (
              <div
                key={key}
                id={`${id}-${index}`}
                role="option"
                aria-selected={index === active}
                tabIndex={-1}
                className={cx(
                  'cursor-pointer px-3 py-1.5 text-sm hover:bg-surface-hover',
                  index === active && 'bg-surface-pressed',
                )}
                // Before the input loses the focus, which closes the list.
                onPointerDown={(event) => {
                  event.preventDefault();
                  open(key);
                }}
              >
                <bdi className="block truncate">{visibleText(key)}</bdi>
                {about === '' ? null : (
                  <bdi className="block truncate text-text-muted text-xs">{visibleText(about)}</bdi>
                )}
              </div>
            ))}
          </div>
        </span>
        <Button type="submit">Search</Button>
      </form>
    </search>
  );
}

/** What is suggested for a text, once typing pauses; nothing for an empty one. */
function useSuggestions(organizationSlug: string, text: string, filters: string): readonly SuggestedUser[] {
  const [found, setFound] = useState<{ text: string; users: readonly SuggestedUser[] }>({
    text: '',
    users: [],
  });
  useEffect(() => {
    if (text === '') return;
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      const parameters = new URLSearchParams(filters);
      parameters.set('query', text);
      try {
        const users = await loadData<readonly SuggestedUser[]>(
          `/${organizationSlug}/users/suggest?${parameters}`,
          stop,
        );
        setFound({ text, users });
      } catch {
        // A list of suggestions that does not come is none: the search works without.
      }
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [organizationSlug, text, filters]);
  return text === '' ? [] : found.users;
}
