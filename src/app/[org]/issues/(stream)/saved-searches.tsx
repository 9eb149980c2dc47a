'use client';

import { Bookmark, ChevronDown, Plus, Trash2, Users } from 'lucide-react';
import { useState } from 'react';
import { deleteSearch, saveSearch } from '#app/[org]/issues/actions.ts';
import { Button } from '#ui/button.tsx';
import { Menu, MenuItem, MenuSeparator, MenuText } from '#ui/menu.tsx';
import { onDemand, usePopupOnDemand } from '#ui/on-demand/on-demand.ts';
import { showToast } from '#ui/toast.tsx';
import type { StreamState } from '../stream-url.ts';
import type { SavedSearchView } from './stream-content.ts';

const saveDialog = onDemand(() => import('./save-search-dialog.tsx'));

/** Searches with a name: one's own and everybody's, saving what is shown, deleting the chosen one. */
export function SavedSearches({
  organizationSlug,
  state,
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
  const [isSaving, setIsSaving] = useState(false);
  const dialog = usePopupOnDemand(saveDialog, isSaving, () => setIsSaving(false));
  const current = searches.find((search) => search.query === state.query);
  const own = searches.filter((search) => !search.isShared);
  const shared = searches.filter((search) => search.isShared);
  const item = (search: SavedSearchView) => (
    <MenuItem
      key={search.id}
      icon={search.isShared ? <Users aria-hidden /> : <Bookmark aria-hidden />}
      onSelect={() => onChoose(search)}
    >
      <span className="block truncate">{search.name}</span>
      <span className="mono block truncate text-text-muted text-xs">{search.query}</span>
    </MenuItem>
  );

  async function remove(search: SavedSearchView) {
    const result = await deleteSearch({ organizationSlug, searchId: search.id });
    if (!result.ok) {
      showToast({ title: 'Couldn’t delete the saved search', description: result.message, tone: 'danger' });
      return;
    }
    const { name, query, sort, isShared } = search;
    showToast({
      title: `Deleted saved search ${name}`,
      action: {
        label: 'Undo',
        onSelect: async () => {
          const restored = await saveSearch({ organizationSlug, name, query, sort, isShared });
          showToast(
            restored.ok
              ? { title: `${name} restored` }
              : { title: `${name} could not be restored`, description: restored.message, tone: 'danger' },
          );
        },
      },
    });
  }

  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button aria-label="Saved searches" className="max-w-48 font-normal">
            <Bookmark aria-hidden className="size-3.5 text-text-muted" />
            <span className="truncate max-sm:sr-only">{current?.name ?? 'Saved searches'}</span>
            <ChevronDown aria-hidden className="size-3.5 text-text-muted" />
          </Button>
        }
      >
        {searches.length === 0 ? <MenuText>No saved searches yet.</MenuText> : null}
        {own.length > 0 ? <MenuText>My searches</MenuText> : null}
        {own.map(item)}
        {shared.length > 0 ? <MenuText>Shared searches</MenuText> : null}
        {shared.map(item)}
        <MenuSeparator />
        <MenuItem
          icon={<Plus aria-hidden />}
          disabled={state.query.trim() === ''}
          onSelect={() => setIsSaving(true)}
        >
          Save this search…
        </MenuItem>
        {current?.canChange ? (
          <MenuItem icon={<Trash2 aria-hidden />} tone="danger" onSelect={() => remove(current)}>
            Delete “{current.name}”
          </MenuItem>
        ) : null}
      </Menu>
      {dialog ? (
        <dialog.SaveSearchDialog
          organizationSlug={organizationSlug}
          query={state.query}
          sort={state.sort}
          canShare={canShare}
          isOpen={isSaving}
          onOpenChange={setIsSaving}
        />
      ) : null}
    </>
  );
}
