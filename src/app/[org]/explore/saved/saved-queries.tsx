'use client';

import { useRouter } from 'next/navigation';
import { type SavedItem, SavedMenu } from '../../saved-searches/saved-menu.tsx';
import { type RowsPlace, rowsHref } from '../rows/rows-state.ts';
import { changeQuery, deleteQuery, saveQuery, starQuery } from './actions.ts';
import { describeQuery } from './describe-query.ts';

/** A saved question of any dataset; `href` shows it. */
export type SavedQueryView = SavedItem & { href: string; page: RowsPlace['state']['page'] };

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
