'use client';

import { useRouter } from 'next/navigation';
import { SavedMenu } from '../../saved-searches/saved-menu.tsx';
import { type RowsPlace, rowsHref } from './rows-state.ts';
import { changeQuery, deleteQuery, saveQuery, starQuery } from './saved-query-actions.ts';
import { describeQuery, type SavedQueryView } from './saved-query-view.ts';

/** Saved questions of Explore: the one that the address asks is the current one. */
export function SavedQueries({
  place,
  queries,
  canShare,
}: {
  place: RowsPlace;
  queries: readonly SavedQueryView[];
  canShare: boolean;
}) {
  const router = useRouter();
  const { organizationSlug, state } = place;
  const shown = rowsHref(place);
  return (
    <SavedMenu
      one="query"
      many="queries"
      items={queries}
      current={queries.find(({ href }) => href === shown)}
      saved={describeQuery(state)}
      canShare={canShare}
      onChoose={({ href }) => router.push(href)}
      create={({ name, isShared }, deleted) =>
        saveQuery({
          organizationSlug,
          name,
          isShared,
          isStarred: deleted?.isStarred ?? false,
          page: deleted?.page ?? state.page,
          search: new URL(deleted?.href ?? shown, window.location.origin).search,
        })
      }
      remove={({ id }) => deleteQuery({ organizationSlug, queryId: id })}
      change={({ id }, named) => changeQuery({ organizationSlug, queryId: id, ...named })}
      star={({ id }, isStarred) => starQuery({ organizationSlug, queryId: id, isStarred })}
    />
  );
}
