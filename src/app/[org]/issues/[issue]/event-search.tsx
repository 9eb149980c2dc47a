'use client';

import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useRef } from 'react';
import { SearchBox } from '#app/[org]/search-box/search-box.tsx';
import { useShortcuts } from '#app/shell/use-shortcuts.ts';
import { withFilters } from '#app/url-state.ts';

/** The search that a view of an issue is narrowed by; it goes into the address. */
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
  const input = useRef<HTMLInputElement>(null);
  useShortcuts({ search: () => input.current?.focus() });
  return (
    <div className="min-w-0 flex-1 basis-72">
      <SearchBox
        key={query}
        organizationSlug={organizationSlug}
        projectSlugs={[projectSlug]}
        subject="events"
        query={query}
        clearedQuery=""
        placeholder="Search events: release:, user.email:, a tag, or text"
        onSearch={(text) =>
          router.push(withFilters(pathname, parameters, ['query'], { query: text === '' ? null : text }))
        }
        error={error}
        inputRef={input}
      />
    </div>
  );
}
