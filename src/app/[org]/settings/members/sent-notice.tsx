import { LoopbackNotice } from '#app/loopback-notice.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { Notice } from '#ui/notice.tsx';
import type { SentView } from './member-actions.ts';

/** What came of an invitation, with its address to copy: it is shown this once. */
export function SentNotice({ sent }: { sent: SentView }) {
  return (
    <Notice
      tone={sent.notSentReason ? 'warning' : 'success'}
      title={
        sent.notSentReason ? (
          <>
            Give <bdi>{sent.email}</bdi> this address
          </>
        ) : (
          <>
            A mail is on its way to <bdi>{sent.email}</bdi>
          </>
        )
      }
    >
      <p>
        {sent.notSentReason ? `${sent.notSentReason}. ` : 'You can also hand the address over yourself. '}
        It opens for seven days, once, and is not shown again.
      </p>
      <p className="mt-2 flex items-center gap-1 rounded-md border bg-surface-raised py-1 pr-1 pl-2.5">
        <code className="mono min-w-0 flex-1 truncate text-xs" data-testid="invitation-address">
          {sent.url}
        </code>
        <CopyButton text={sent.url} label="Copy the address of the invitation" />
      </p>
      <LoopbackNotice address={sent.url} className="mt-1.5" />
    </Notice>
  );
}
