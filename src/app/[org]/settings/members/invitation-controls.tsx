'use client';

import { useState, useTransition } from 'react';
import { ActionButton } from '#app/forms/confirm-action.tsx';
import { Button } from '#ui/button.tsx';
import { showToast } from '#ui/toast.tsx';
import { resendAction, revokeAction, type SentView } from './actions.ts';
import { SentNotice } from './sent-notice.tsx';

/** Sends an invitation again, or revokes it. */
export function InvitationControls({
  orgSlug,
  invitation: { id, email },
}: {
  orgSlug: string;
  invitation: { id: number; email: string };
}) {
  const [isPending, startTransition] = useTransition();
  const [sent, setSent] = useState<SentView | null>(null);
  const resend = () =>
    startTransition(async () => {
      const answer = await resendAction(orgSlug, id);
      if (answer.ok) setSent(answer.value);
      else showToast({ title: `${answer.message}.`, tone: 'danger' });
    });
  return (
    <>
      <div className="flex gap-2">
        <Button
          size="sm"
          disabled={isPending}
          aria-label={`Resend the invitation to ${email}`}
          onClick={resend}
        >
          Resend
        </Button>
        <ActionButton
          action={revokeAction.bind(null, orgSlug, id)}
          label="Revoke"
          accessibleName={`Revoke the invitation to ${email}`}
          doneTitle={`Invitation to ${email} revoked`}
          size="sm"
        />
      </div>
      {sent ? (
        <div className="w-full">
          <SentNotice sent={sent} />
        </div>
      ) : null}
    </>
  );
}
