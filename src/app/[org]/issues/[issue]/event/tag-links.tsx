'use client';

import type { ReactNode } from 'react';
import { withQuery } from '#app/url-state.ts';
import { Link } from '#ui/navigation/link.tsx';

/** `search` finds the events that carry the tag; null when none does. `badges` stand after the value. */
export type TagLink = { key: string; value: string; search: string | null; badges?: ReactNode };

/** Names and values beside each other. Drawn from the bare tags: as elements they would be half of the page's data. */
export function TagLinks({ eventsHref, tags }: { eventsHref: string; tags: readonly TagLink[] }) {
  return (
    <dl className="tags" title="Events with this tag">
      {tags.map(({ key, value, search, badges }) => (
        <div key={key}>
          <dt>
            <bdi>{key}</bdi>
          </dt>
          <dd>
            {search ? (
              <Link href={withQuery(eventsHref, { query: search })}>
                <bdi>{value}</bdi>
              </Link>
            ) : (
              <bdi>{value}</bdi>
            )}
            {badges}
          </dd>
        </div>
      ))}
    </dl>
  );
}
