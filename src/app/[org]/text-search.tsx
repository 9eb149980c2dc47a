'use client';

import { Search } from 'lucide-react';
import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useState, useTransition } from 'react';
import { SearchHint } from '#app/[org]/search-box/search-hint.tsx';
import { useSearchField } from '#app/shell/use-shortcuts.ts';
import { withFilters } from '#app/url-state.ts';
import { Input } from '#ui/field.tsx';

const QUERY = 'query';

/** A text that the rows of a list must contain; it goes into the address. */
export function TextSearch({
  label,
  placeholder,
  text,
}: {
  label: string;
  placeholder: string;
  text: string;
}) {
  const router = useRouter();
  const pathname = usePathname();
  const parameters = useSearchParams();
  const field = useSearchField();
  const [typed, setTyped] = useState(text);
  const [isPending, startTransition] = useTransition();
  const search = () =>
    router.push(withFilters(pathname, parameters, [QUERY], { [QUERY]: typed.trim() || null }));
  return (
    <search className="min-w-0 flex-1 basis-72" aria-busy={isPending}>
      <form action={() => startTransition(search)} className="relative flex items-center">
        <Search aria-hidden className="absolute left-2.5 size-4 text-text-muted" />
        <Input
          ref={field}
          name={QUERY}
          type="search"
          enterKeyHint="search"
          maxLength={250}
          aria-label={label}
          placeholder={placeholder}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          className="mono pr-20 pl-8.5 text-sm"
        />
        <div className="absolute right-1.5 flex items-center">
          <SearchHint isChanged={typed !== text} />
        </div>
      </form>
    </search>
  );
}
