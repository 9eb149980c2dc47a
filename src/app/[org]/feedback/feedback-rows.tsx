'use client';

import { useOptimistic } from 'react';
import { userHref } from '#app/[org]/user-href.ts';
import { Avatar } from '#ui/avatar.tsx';
import { Button } from '#ui/button.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { RESOLVE_NOW, type TriageAction } from '../issues/triage.ts';
import { useTriage } from '../issues/use-triage.ts';
import type { Mailbox } from './feedback-state.ts';
import type { FeedbackRowView } from './feedback-view.ts';

const MARK_AS_SPAM = { verb: 'archive', condition: { kind: 'forever' } } as const satisfies TriageAction;

/** What can be done in each list; it takes the feedback out of that list. */
const ACTIONS: Readonly<Record<Mailbox, readonly { label: string; action: TriageAction }[]>> = {
  unresolved: [
    { label: 'Resolve', action: RESOLVE_NOW },
    { label: 'Spam', action: MARK_AS_SPAM },
  ],
  resolved: [{ label: 'Reopen', action: { verb: 'unresolve' } }],
  spam: [{ label: 'Not spam', action: { verb: 'unarchive' } }],
};

/** The newest first, with who wrote it and what can be done. */
export function FeedbackRows({
  organizationSlug,
  mailbox,
  rows,
  canTriage,
  now,
}: {
  organizationSlug: string;
  mailbox: Mailbox;
  rows: readonly FeedbackRowView[];
  canTriage: boolean;
  now: number;
}) {
  const [shown, leave] = useOptimistic(rows, (current, ids: readonly number[]) =>
    current.filter(({ id }) => !ids.includes(id)),
  );
  const { triage, isPending } = useTriage({
    organizationSlug,
    onOptimistic: (change, ids) => {
      // An undo brings back what is not here: the server's answer shows it.
      if ('verb' in change) leave(ids);
    },
  });
  return (
    <ul aria-label="Feedback" className="divide-y divide-border">
      {shown.map((row) => (
        <li key={row.id} className="flex flex-wrap items-start gap-x-3 gap-y-2 px-4 py-3 sm:flex-nowrap">
          <Avatar name={row.sender} />
          <div className="min-w-0 flex-1 basis-60">
            <Link
              href={`/${organizationSlug}/issues/${row.shortId}`}
              className="line-clamp-2 font-medium text-sm underline-offset-2 [overflow-wrap:anywhere] hover:underline"
            >
              <bdi>{row.message}</bdi>
            </Link>
            <p className="mt-0.5 flex min-w-0 flex-wrap gap-x-2 text-text-muted text-xs sm:flex-nowrap [&>*]:max-w-full [&>*]:truncate">
              {row.userKey ? (
                <Link
                  href={userHref(organizationSlug, row.userKey)}
                  title={row.sender}
                  className="text-text underline-offset-2 hover:underline"
                >
                  <bdi>{row.sender}</bdi>
                </Link>
              ) : (
                <bdi className="text-text">{row.sender}</bdi>
              )}
              {row.email ? <bdi title={row.email}>{row.email}</bdi> : null}
              <span title={row.shortId}>{row.shortId}</span>
              <span title={row.projectSlug}>{row.projectSlug}</span>
              {row.place ? <bdi title={row.place}>{row.place}</bdi> : null}
              {row.assigneeName ? (
                <span>
                  Assigned to <bdi>{row.assigneeName}</bdi>
                </span>
              ) : null}
            </p>
          </div>
          <RelativeTime at={row.arrivedAt} now={now} className="text-text-muted text-xs sm:pt-1" />
          {canTriage ? (
            <div className="ml-auto flex gap-2">
              {ACTIONS[mailbox].map(({ label, action }) => (
                <Button
                  key={label}
                  size="sm"
                  aria-label={`${label}: ${row.shortId}`}
                  disabled={isPending}
                  onClick={() => triage(action, [row])}
                >
                  {label}
                </Button>
              ))}
            </div>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
