import { LoopbackNotice } from '#app/loopback-notice.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { Notice } from '#ui/notice.tsx';
import type { SentView } from './actions.ts';

/** What came of an invitation, with its link to copy, which is shown this once. */
export function SentNotice({ sent }: { sent: SentView }) {
  return (
    <Notice
      tone={sent.notSentReason ? 'warning' : 'success'}
      title={
        sent.notSentReason ? (
          <>
            Send this link to <bdi>{sent.email}</bdi>
          </>
        ) : (
          <>
            Invitation sent to <bdi>{sent.email}</bdi>
          </>
        )
      }
    >
      <p>
        {sent.notSentReason ? `${sent.notSentReason}. ` : 'You can also share the link yourself. '}
        It can be used once within seven days. You will not see it again.
      </p>
      <p className="mt-2 flex items-center gap-1 rounded-md border bg-surface-raised py-1 pr-1 pl-2.5">
        <code className="mono min-w-0 flex-1 truncate text-xs" data-testid="invitation-address">
          {sent.url}
        </code>
        <CopyButton text={sent.url} label="Copy the invitation link" />
      </p>
      <LoopbackNotice address={sent.url} className="mt-1.5" />
    </Notice>
  );
}
