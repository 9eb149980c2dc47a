'use client';

import { Search } from 'lucide-react';
import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useRef, useTransition } from 'react';
import { useShortcuts } from '#app/shell/use-shortcuts.ts';
import { withFilters } from '#app/url-state.ts';
import { Button } from '#ui/button.tsx';
import { Input } from '#ui/field.tsx';

/** Longer than any name that is worth looking for. */
const SEARCH_CHARACTERS_MAX = 250;

/** Narrows the list of the page to what has a text in it; the text goes into the address as `query`. */
export function ListSearch({
  label,
  placeholder,
  query,
}: {
  label: string;
  placeholder: string;
  query: string;
}) {
  const router = useRouter();
  const pathname = usePathname();
  const parameters = useSearchParams();
  const input = useRef<HTMLInputElement>(null);
  const [isPending, startTransition] = useTransition();
  useShortcuts({ search: () => input.current?.focus() });
  return (
    <search className="min-w-0 grow basis-full sm:flex-1 sm:basis-60" aria-busy={isPending}>
      <form
        action={(form) => {
          const text = String(form.get('query') ?? '').trim();
          startTransition(() =>
            router.push(withFilters(pathname, parameters, ['query'], { query: text === '' ? null : text })),
          );
        }}
        className="flex items-center gap-2"
      >
        <span className="relative flex min-w-0 flex-1 items-center">
          <Search aria-hidden className="absolute left-2.5 size-4 text-text-muted" />
          <Input
            key={query}
            ref={input}
            isCompact
            name="query"
            type="search"
            enterKeyHint="search"
            maxLength={SEARCH_CHARACTERS_MAX}
            aria-label={label}
            placeholder={placeholder}
            defaultValue={query}
            className="pl-8.5"
          />
        </span>
        <Button type="submit">Search</Button>
      </form>
    </search>
  );
}
