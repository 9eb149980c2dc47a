'use client';

import { Search } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { SearchHint } from '#app/[org]/search-box/search-hint.tsx';
import { useSearchField } from '#app/shell/use-shortcuts.ts';
import { Input } from '#ui/field.tsx';
import { type ReleasesState, releasesHref } from '../releases-state.ts';

/** Part of a version to look for; it goes into the address. */
export function ReleaseSearch({
  organizationSlug,
  state,
}: {
  organizationSlug: string;
  state: ReleasesState;
}) {
  const router = useRouter();
  const field = useSearchField();
  const [text, setText] = useState(state.search);
  const [isPending, startTransition] = useTransition();
  return (
    <search className="min-w-0 flex-1 basis-72" aria-busy={isPending}>
      <form
        action={() =>
          startTransition(() => router.push(releasesHref(organizationSlug, state, { search: text.trim() })))
        }
        className="relative flex items-center"
      >
        <Search aria-hidden className="absolute left-2.5 size-4 text-text-muted" />
        <Input
          ref={field}
          name="query"
          type="search"
          enterKeyHint="search"
          maxLength={250}
          aria-label="Search releases"
          placeholder="Search by version, such as web@2.1"
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="mono pr-20 pl-8.5 text-sm"
        />
        <div className="absolute right-1.5 flex items-center">
          <SearchHint isChanged={text !== state.search} />
        </div>
      </form>
    </search>
  );
}
