'use client';

import { deleteSearch, saveSearch } from '#app/[org]/issues/actions.ts';
import { SavedMenu } from '../../saved-searches/saved-menu.tsx';
import type { StreamState } from '../stream-url.ts';
import type { SavedSearchView } from './stream-content.ts';

/** Saved searches of issues. */
export function SavedSearches({
  organizationSlug,
  state: { query, sort },
  searches,
  canShare,
  onChoose,
}: {
  organizationSlug: string;
  state: StreamState;
  searches: readonly SavedSearchView[];
  canShare: boolean;
  onChoose: (search: SavedSearchView) => void;
}) {
  return (
    <SavedMenu
      one="search"
      many="searches"
      items={searches}
      current={searches.find((search) => search.query === query)}
      saved={query.trim()}
      canShare={canShare}
      onChoose={onChoose}
      create={({ name, isShared }, deleted) =>
        saveSearch({
          organizationSlug,
          name,
          isShared,
          query: deleted?.query ?? query,
          sort: deleted?.sort ?? sort,
        })
      }
      remove={({ id }) => deleteSearch({ organizationSlug, searchId: id })}
    />
  );
}
