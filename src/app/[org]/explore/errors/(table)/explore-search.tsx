'use client';

import { useRouter } from 'next/navigation';
import { useRef, useTransition } from 'react';
import { useShortcuts } from '#app/shell/use-shortcuts.ts';
import { SearchBox } from '../../../search-box/search-box.tsx';
import { type ExploreState, exploreHref } from '../explore-state.ts';

/** Which events are asked about; the query goes into the address. */
export function ExploreSearch({
  organizationSlug,
  state,
  error,
}: {
  organizationSlug: string;
  state: ExploreState;
  error: string | null;
}) {
  const router = useRouter();
  const field = useRef<HTMLInputElement>(null);
  const [isPending, startTransition] = useTransition();
  useShortcuts({
    search: () => {
      field.current?.focus();
      field.current?.select();
    },
  });
  return (
    <div aria-busy={isPending}>
      <SearchBox
        key={state.query}
        organizationSlug={organizationSlug}
        projectSlugs={state.filters.projects}
        subject="events"
        query={state.query}
        clearedQuery=""
        placeholder="Search events: browser.name:Firefox has:user.email text"
        onSearch={(query) =>
          startTransition(() =>
            router.push(exploreHref(organizationSlug, state, { query }), { scroll: false }),
          )
        }
        error={error}
        inputRef={field}
      />
    </div>
  );
}
