'use client';

import { Button } from '#ui/button.tsx';
import type { IssuePlace } from '../people/on-issue.ts';
import { useIssueAction } from '../people/use-issue-action.ts';
import { resendReplyAction } from './reply-actions.ts';

/** Sends a reply again whose mail failed. */
export function ResendReply({ place, replyId }: { place: IssuePlace; replyId: number }) {
  const { run, isPending } = useIssueAction();
  return (
    <Button
      size="sm"
      isPending={isPending}
      onClick={() =>
        run(
          () => resendReplyAction(place, replyId),
          () => ({ title: 'Reply queued', description: 'The activity shows when it is sent.' }),
        )
      }
    >
      Send again
    </Button>
  );
}
