'use client';

import { useRouter } from 'next/navigation';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { deleteIssueAction } from './actions.ts';
import type { IssuePlace } from './on-issue.ts';
import { useIssueAction } from './use-issue-action.ts';

/** Asks before an issue is deleted, and says what happens to future events. */
export function DeleteDialog({
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
      title={isDiscard ? `Delete ${place.shortId} and discard future events?` : `Delete ${place.shortId}?`}
      description="Comments, links, and history are deleted immediately, events and attachments within minutes. This can’t be undone."
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
          ? 'Future events are dropped and counted as “Discarded issue” until someone restores the issue in the project settings.'
          : 'If it happens again, a new issue is created.'}
      </p>
    </Dialog>
  );
}
