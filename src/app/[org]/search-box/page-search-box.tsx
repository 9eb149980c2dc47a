'use client';

import type { ReactNode } from 'react';
import { useSearchField } from '#app/shell/use-shortcuts.ts';
import type { PageFilters } from '#app/url-state.ts';
import { SearchBox } from './search-box.tsx';
import type { SearchSubject } from './search-subject.ts';
import { useAddressSearch } from './use-address-search.ts';

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
  const { isPending, search } = useAddressSearch(usual);
  return (
    <div aria-busy={isPending}>
      <SearchBox key={props.query} {...props} clearedQuery="" onSearch={search} inputRef={field} />
    </div>
  );
}
