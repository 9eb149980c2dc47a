'use client';

import { Bookmark, ChevronDown, Pencil, Plus, Star, Trash2, Users } from 'lucide-react';
import { useState } from 'react';
import type { Answer } from '#app/forms/submit-form.ts';
import { Button } from '#ui/button.tsx';
import { Menu, MenuItem, MenuSeparator, MenuText } from '#ui/menu.tsx';
import { onDemand, usePopupOnDemand } from '#ui/on-demand/on-demand.ts';
import { showToast } from '#ui/toast.tsx';

const saveDialog = onDemand(() => import('./save-search-dialog.tsx'));

export type SavedItem = {
  id: number;
  name: string;
  /** What is searched for. */
  query: string;
  isShared: boolean;
  isStarred?: boolean;
  canChange: boolean;
};

type Named = { name: string; isShared: boolean };

/** Searches with a name: one's own and everybody's, saving what is shown, changing and deleting the chosen one. */
export function SavedMenu<Item extends SavedItem>({
  one,
  many,
  items,
  current,
  saved,
  canShare,
  onChoose,
  create,
  remove,
  change,
  star,
}: {
  /** What is saved: `search`. */
  one: string;
  many: string;
  items: readonly Item[];
  /** The one that is shown. */
  current: Item | undefined;
  /** What is shown and can be saved; empty for nothing. */
  saved: string;
  canShare: boolean;
  onChoose: (item: Item) => void;
  /** Saves what is shown, or an item that was deleted. */
  create: (named: Named, deleted?: Item) => Promise<Answer<null>>;
  remove: (item: Item) => Promise<Answer<null>>;
  change?: (item: Item, named: Named) => Promise<Answer<null>>;
  star?: (item: Item, isStarred: boolean) => Promise<Answer<null>>;
}) {
  const [named, setNamed] = useState<Item | 'new' | null>(null);
  const dialog = usePopupOnDemand(saveDialog, named !== null, () => setNamed(null));
  const own = items.filter((each) => !each.isShared);
  const shared = items.filter((each) => each.isShared);
  const item = (each: Item) => {
    const Icon = each.isStarred ? Star : each.isShared ? Users : Bookmark;
    return (
      <MenuItem key={each.id} icon={<Icon aria-hidden />} onSelect={() => onChoose(each)}>
        <span className="block truncate">{each.name}</span>
        <span className="mono block truncate text-text-muted text-xs">{each.query}</span>
      </MenuItem>
    );
  };

  async function removeWithUndo(item: Item) {
    const result = await remove(item);
    const { name } = item;
    if (!result.ok) {
      showToast({ title: `Couldn’t delete ${name}`, description: result.message, tone: 'danger' });
      return;
    }
    showToast({
      title: `Deleted saved ${one} ${name}`,
      action: {
        label: 'Undo',
        onSelect: async () => {
          const restored = await create(item, item);
          showToast(
            restored.ok
              ? { title: `${name} restored` }
              : { title: `${name} could not be restored`, description: restored.message, tone: 'danger' },
          );
        },
      },
    });
  }

  async function toggleStar(item: Item) {
    const result = await star?.(item, !item.isStarred);
    if (result?.ok === false) {
      showToast({ title: `Couldn’t change ${item.name}`, description: result.message, tone: 'danger' });
    }
  }

  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button aria-label={`Saved ${many}`} className="max-w-48 font-normal">
            <Bookmark aria-hidden className="size-3.5 text-text-muted" />
            <span className="truncate max-sm:sr-only">{current?.name ?? `Saved ${many}`}</span>
            <ChevronDown aria-hidden className="size-3.5 text-text-muted" />
          </Button>
        }
      >
        {items.length === 0 ? <MenuText>No saved {many} yet.</MenuText> : null}
        {own.length > 0 ? <MenuText>My {many}</MenuText> : null}
        {own.map(item)}
        {shared.length > 0 ? <MenuText>Shared {many}</MenuText> : null}
        {shared.map(item)}
        <MenuSeparator />
        <MenuItem icon={<Plus aria-hidden />} disabled={saved === ''} onSelect={() => setNamed('new')}>
          Save this {one}…
        </MenuItem>
        {current && star ? (
          <MenuItem icon={<Star aria-hidden />} onSelect={() => toggleStar(current)}>
            {current.isStarred ? 'Unstar' : 'Star'} “{current.name}”
          </MenuItem>
        ) : null}
        {current?.canChange && change ? (
          <MenuItem icon={<Pencil aria-hidden />} onSelect={() => setNamed(current)}>
            Rename “{current.name}”…
          </MenuItem>
        ) : null}
        {current?.canChange ? (
          <MenuItem icon={<Trash2 aria-hidden />} tone="danger" onSelect={() => removeWithUndo(current)}>
            Delete “{current.name}”
          </MenuItem>
        ) : null}
      </Menu>
      {dialog && named ? (
        <dialog.SaveSearchDialog
          title={named === 'new' ? `Save this ${one}` : `Rename this ${one}`}
          description={named === 'new' ? saved : named.query}
          {...(named === 'new' ? {} : { name: named.name, isShared: named.isShared })}
          canShare={canShare}
          save={async (next) => (named === 'new' || !change ? await create(next) : await change(named, next))}
          isOpen
          onOpenChange={(isOpen) => {
            if (!isOpen) setNamed(null);
          }}
        />
      ) : null}
    </>
  );
}
