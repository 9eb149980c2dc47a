'use client';

import { useState, useTransition } from 'react';
import { Button } from '#ui/button.tsx';
import { showToast } from '#ui/toast.tsx';
import { resendAction, revokeAction, type SentView } from './member-actions.ts';
import { SentNotice } from './sent-notice.tsx';

/** Sends an invitation again, or takes it back. */
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
      const result = await resendAction(orgSlug, id);
      if ('sent' in result) setSent(result.sent);
      else showToast({ title: result.problem, tone: 'danger' });
    });
  const revoke = () =>
    startTransition(async () => {
      const problem = await revokeAction(orgSlug, id);
      showToast(
        problem ? { title: problem, tone: 'danger' } : { title: `The invitation of ${email} is revoked` },
      );
    });
  return (
    <>
      <div className="flex gap-2">
        <Button
          size="sm"
          disabled={isPending}
          aria-label={`Send the invitation of ${email} again`}
          onClick={resend}
        >
          Send again
        </Button>
        <Button
          size="sm"
          disabled={isPending}
          aria-label={`Revoke the invitation of ${email}`}
          onClick={revoke}
        >
          Revoke
        </Button>
      </div>
      {sent ? (
        <div className="w-full">
          <SentNotice sent={sent} />
        </div>
      ) : null}
    </>
  );
}
