'use client';

import { Bell, BellOff, Bookmark, BookmarkMinus, Ellipsis, Share2, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { ShareView } from '#app/sharing/share-dialog.tsx';
import { buttonClass } from '#ui/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '#ui/menu.tsx';
import { onDemand, usePopupOnDemand } from '#ui/on-demand/on-demand.ts';
import { setUserStateAction } from './actions.ts';
import type { IssuePlace } from './on-issue.ts';
import { useIssueAction } from './use-issue-action.ts';

const shareDialog = onDemand(() => import('./share-issue.tsx'));
const deleteDialog = onDemand(() => import('./delete-dialog.tsx'));

type Opened = 'share' | 'delete' | 'discard' | null;

/** What can be done with an issue besides its state. */
export function IssueMenu({
  place,
  isBookmarked,
  isSubscribed,
  sharing,
  canDelete,
}: {
  place: IssuePlace;
  isBookmarked: boolean;
  isSubscribed: boolean;
  /** null for whoever may not share. */
  sharing: ShareView | null;
  canDelete: boolean;
}) {
  const { run, isPending } = useIssueAction();
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => setOpened(null);
  const share = usePopupOnDemand(shareDialog, opened === 'share', close);
  const remove = usePopupOnDemand(deleteDialog, opened === 'delete' || opened === 'discard', close);
  return (
    <>
      <Menu
        align="end"
        trigger={
          <button type="button" aria-label="More actions" className={buttonClass({ iconOnly: true })}>
            <Ellipsis aria-hidden className="size-4" />
          </button>
        }
      >
        <MenuItem
          icon={isBookmarked ? <BookmarkMinus aria-hidden /> : <Bookmark aria-hidden />}
          disabled={isPending}
          onSelect={() =>
            run(
              () => setUserStateAction(place, { isBookmarked: !isBookmarked }),
              () => ({ title: isBookmarked ? 'Bookmark removed' : 'Bookmarked' }),
            )
          }
        >
          {isBookmarked ? 'Remove bookmark' : 'Bookmark'}
        </MenuItem>
        <MenuItem
          icon={isSubscribed ? <BellOff aria-hidden /> : <Bell aria-hidden />}
          disabled={isPending}
          onSelect={() =>
            run(
              () => setUserStateAction(place, { isSubscribed: !isSubscribed }),
              () => ({ title: isSubscribed ? 'Unsubscribed' : 'Subscribed' }),
            )
          }
        >
          {isSubscribed ? 'Unsubscribe' : 'Subscribe'}
        </MenuItem>
        {sharing ? (
          <MenuItem icon={<Share2 aria-hidden />} onSelect={() => setOpened('share')}>
            Share publicly…
          </MenuItem>
        ) : null}
        {canDelete ? (
          <>
            <MenuSeparator />
            <MenuItem tone="danger" icon={<Trash2 aria-hidden />} onSelect={() => setOpened('delete')}>
              Delete…
            </MenuItem>
            <MenuItem tone="danger" icon={<Trash2 aria-hidden />} onSelect={() => setOpened('discard')}>
              Delete and discard…
            </MenuItem>
          </>
        ) : null}
      </Menu>
      {share && sharing ? (
        <share.ShareIssue
          place={place}
          sharing={sharing}
          open={opened === 'share'}
          onOpenChange={(open) => setOpened(open ? 'share' : null)}
        />
      ) : null}
      {remove ? (
        <remove.DeleteDialog
          place={place}
          opened={opened === 'delete' || opened === 'discard' ? opened : null}
          onClose={close}
        />
      ) : null}
    </>
  );
}
