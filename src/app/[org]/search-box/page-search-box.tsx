'use client';

import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { type ReactNode, useTransition } from 'react';
import { useSearchField } from '#app/shell/use-shortcuts.ts';
import { type PageFilters, withFilters } from '#app/url-state.ts';
import { SearchBox } from './search-box.tsx';
import type { SearchSubject } from './search-subject.ts';

/** What a page is about; the query goes into its address. */
export function PageSearchBox({
  usual = '',
  ...props
}: {
  organizationSlug: string;
  filters: PageFilters;
  subject: SearchSubject;
  query: string;
  /** The query of an address without any. */
  usual?: string;
  placeholder: string;
  /** Why the query cannot be searched for; null when it can. */
  error: string | null;
  /** Stands beside the box. */
  trailing?: ReactNode;
}) {
  const field = useSearchField();
  const router = useRouter();
  const pathname = usePathname();
  const parameters = useSearchParams();
  const [isPending, startTransition] = useTransition();
  const search = (query: string) =>
    startTransition(() =>
      router.push(
        withFilters(pathname, parameters, ['query', 'offset'], { query: query === usual ? null : query }),
        { scroll: false },
      ),
    );
  return (
    <div aria-busy={isPending}>
      <SearchBox key={props.query} {...props} clearedQuery="" onSearch={search} inputRef={field} />
    </div>
  );
}
