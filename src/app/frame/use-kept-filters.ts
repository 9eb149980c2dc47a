'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useEffect, useState } from 'react';
import { FILTER_PARAMETERS } from '../url-state.ts';
import { sectionOf } from './sections.ts';

export type KeptFilters = Readonly<Record<string, readonly string[]>>;

/**
 * The project, environment and time that links to other sections go on with: those of this page, or, on a page that has
 * none (settings), those of the last page that had.
 */
export function useKeptFilters(organizationSlug: string): KeptFilters {
  const pathname = usePathname();
  const parameters = useSearchParams();
  const [remembered, remember] = useState<KeptFilters>({});
  const isFiltered = sectionOf(pathname, organizationSlug)?.isFiltered === true;
  const text = parameters.toString();

  useEffect(() => {
    if (isFiltered) remember(filtersOf(new URLSearchParams(text)));
  }, [isFiltered, text]);

  return isFiltered ? filtersOf(parameters) : remembered;
}

const filtersOf = (parameters: URLSearchParams): KeptFilters =>
  Object.fromEntries(FILTER_PARAMETERS.map((name) => [name, parameters.getAll(name)]));
