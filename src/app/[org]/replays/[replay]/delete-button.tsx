'use client';

import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { showToast } from '#ui/toast.tsx';
import { deleteReplayAction } from './actions.ts';

/** Asks before the replay is deleted. */
export function DeleteButton(place: { organizationSlug: string; projectSlug: string; replayId: string }) {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const [isPending, start] = useTransition();
  return (
    <Dialog
      open={isOpen}
      onOpenChange={setOpen}
      trigger={<Button>Delete</Button>}
      title="Delete this replay?"
      description="Its recording is deleted for everyone. Errors that happened in it stay. This can’t be undone."
      footer={
        <>
          <Button onClick={() => setOpen(false)}>Cancel</Button>
          <Button
            variant="danger"
            isPending={isPending}
            onClick={() =>
              start(async () => {
                const answer = await deleteReplayAction(place);
                if (!answer.ok) {
                  showToast({ title: answer.message, tone: 'danger' });
                  return;
                }
                router.replace(`/${place.organizationSlug}/replays`);
                router.refresh();
                showToast({ title: 'Replay deleted' });
              })
            }
          >
            {isPending ? 'Deleting…' : 'Delete'}
          </Button>
        </>
      }
    />
  );
}
