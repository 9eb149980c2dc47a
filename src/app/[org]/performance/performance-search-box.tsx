'use client';

import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useTransition } from 'react';
import { useSearchField } from '#app/shell/use-shortcuts.ts';
import { type PageFilters, withFilters } from '#app/url-state.ts';
import { SearchBox } from '../search-box/search-box.tsx';

/** Which spans the page is about; the query goes into the address. */
export function PerformanceSearchBox({
  organizationSlug,
  filters,
  query,
  error,
}: {
  organizationSlug: string;
  filters: PageFilters;
  query: string;
  error: string | null;
}) {
  const router = useRouter();
  const pathname = usePathname();
  const parameters = useSearchParams();
  const field = useSearchField();
  const [isPending, startTransition] = useTransition();
  return (
    <div aria-busy={isPending}>
      <SearchBox
        key={query}
        organizationSlug={organizationSlug}
        filters={filters}
        subject="spans"
        query={query}
        clearedQuery=""
        placeholder="Search spans: release:web@2.1.0 span.duration:>500ms text"
        onSearch={(next) =>
          startTransition(() =>
            router.push(withFilters(pathname, parameters, ['query'], { query: next || null }), {
              scroll: false,
            }),
          )
        }
        error={error}
        inputRef={field}
      />
    </div>
  );
}
