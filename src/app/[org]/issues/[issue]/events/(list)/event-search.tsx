'use client';

import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { SearchBox } from '#app/[org]/search-box/search-box.tsx';
import { useSearchField } from '#app/shell/use-shortcuts.ts';
import { parsePageFilters, withFilters } from '#app/url-state.ts';

/** Searches the events of the issue; the search goes into the address. */
export function EventSearch({
  organizationSlug,
  projectSlug,
  query,
  error,
}: {
  organizationSlug: string;
  projectSlug: string;
  query: string;
  /** Why the query cannot be searched for; null when it can. */
  error: string | null;
}) {
  const router = useRouter();
  const pathname = usePathname();
  const parameters = useSearchParams();
  const field = useSearchField();
  const names = [...new Set(parameters.keys())];
  const filters = parsePageFilters(Object.fromEntries(names.map((name) => [name, parameters.getAll(name)])));
  return (
    <div className="mb-3">
      <SearchBox
        key={query}
        organizationSlug={organizationSlug}
        filters={{ ...filters, projects: [projectSlug] }}
        subject="events"
        query={query}
        clearedQuery=""
        placeholder="Search events: release:, user.email:, a tag, or text"
        onSearch={(text) =>
          router.push(withFilters(pathname, parameters, ['query'], { query: text === '' ? null : text }))
        }
        error={error}
        inputRef={field}
      />
    </div>
  );
}
