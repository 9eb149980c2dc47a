'use client';

import { holdLive } from '#app/live/live-state.ts';
import { ShareDialog, type ShareView } from '#app/sharing/share-dialog.tsx';
import { shareAction, stopSharingAction } from './actions.ts';
import type { IssuePlace } from './on-issue.ts';

/** Makes a public page of the issue. */
export function ShareIssue({
  place,
  sharing,
  open,
  onOpenChange,
}: {
  place: IssuePlace;
  sharing: ShareView;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <ShareDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Share ${place.shortId} publicly`}
      description="Anyone with the link can see the title, the stack trace without variables, counts, and dates, but no user, request, or breadcrumb data."
      sharing={sharing}
      create={(days) => holdLive(() => shareAction(place, days))}
      stop={async () => {
        const answer = await holdLive(() => stopSharingAction(place));
        return answer.ok ? null : answer.message;
      }}
    />
  );
}
