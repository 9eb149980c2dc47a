'use client';

import { Bell, BellOff, Bookmark, BookmarkMinus, Ellipsis, Share2, Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button, buttonClass } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Menu, MenuItem, MenuSeparator } from '#ui/menu.tsx';
import type { IssuePlace } from './on-issue.ts';
import { deleteIssueAction, markAction } from './people-actions.ts';
import { ShareDialog, type ShareView } from './share-dialog.tsx';
import { useIssueAction } from './use-issue-action.ts';

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
              () => markAction(place, { isBookmarked: !isBookmarked }),
              () => ({ title: isBookmarked ? 'Bookmark removed' : 'Bookmarked' }),
            )
          }
        >
          {isBookmarked ? 'Remove the bookmark' : 'Bookmark'}
        </MenuItem>
        <MenuItem
          icon={isSubscribed ? <BellOff aria-hidden /> : <Bell aria-hidden />}
          disabled={isPending}
          onSelect={() =>
            run(
              () => markAction(place, { isSubscribed: !isSubscribed }),
              () => ({ title: isSubscribed ? 'You do not follow it any more' : 'You follow it' }),
            )
          }
        >
          {isSubscribed ? 'Unfollow' : 'Follow'}
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
      {sharing ? (
        <ShareDialog
          place={place}
          sharing={sharing}
          open={opened === 'share'}
          onOpenChange={(open) => setOpened(open ? 'share' : null)}
        />
      ) : null}
      <DeleteDialog
        place={place}
        opened={opened === 'delete' || opened === 'discard' ? opened : null}
        onClose={() => setOpened(null)}
      />
    </>
  );
}

function DeleteDialog({
  place,
  opened,
  onClose,
}: {
  place: IssuePlace;
  opened: 'delete' | 'discard' | null;
  onClose: () => void;
}) {
  const router = useRouter();
  const { run, isPending } = useIssueAction();
  const isDiscard = opened === 'discard';
  const label = isDiscard ? 'Delete and discard' : 'Delete';
  return (
    <Dialog
      open={opened !== null}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={isDiscard ? `Delete ${place.shortId} and discard its future?` : `Delete ${place.shortId}?`}
      description="Its comments, links and history go at once, its events and their attachments within minutes. This cannot be undone."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="danger"
            disabled={isPending}
            onClick={() =>
              run(
                () => deleteIssueAction(place, isDiscard),
                () => {
                  router.replace(`/${place.organizationSlug}/issues`);
                  // Lists that were loaded before still have it.
                  router.refresh();
                  return { title: `Deleted: ${place.shortId}` };
                },
              )
            }
          >
            {isPending ? 'Deleting…' : label}
          </Button>
        </>
      }
    >
      <p className="text-sm">
        {isDiscard
          ? 'What arrives of it later is dropped and counted as “Discarded issue”, until somebody restores it in the settings of the project.'
          : 'When it happens again, it is a new issue.'}
      </p>
    </Dialog>
  );
}
