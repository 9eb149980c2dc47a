'use client';

import { Archive, ArchiveRestore, Check, RotateCcw, UserMinus, UserPlus } from 'lucide-react';
import { useEffect, useOptimistic } from 'react';
import { Avatar } from '#ui/avatar.tsx';
import { Button } from '#ui/button.tsx';
import { isTyping } from '../../../frame/is-typing.ts';
import { applyTriage, type TriageState, type TriageVerb } from '../triage.ts';
import { useTriage } from '../use-triage.ts';

/** The buttons of an issue; `e` resolves and `a` archives. */
export function IssueActions({
  organizationSlug,
  issue,
  user,
}: {
  organizationSlug: string;
  issue: TriageState & { id: number; shortId: string };
  user: { userId: string; name: string };
}) {
  const [shown, showOptimistic] = useOptimistic(issue, (current, verb: TriageVerb) =>
    applyTriage(current, verb, user),
  );
  const { triage } = useTriage({ organizationSlug, onOptimistic: (verb) => showOptimistic(verb) });
  const act = (verb: TriageVerb) => triage(verb, [issue]);

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (isTyping(event) || shown.status !== 'unresolved') return;
      if (event.key === 'e') act('resolve');
      else if (event.key === 'a') act('archive');
      else return;
      event.preventDefault();
    }
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  });

  const isMine = shown.assignee?.userId === user.userId;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {shown.status === 'resolved' ? (
        <Button onClick={() => act('unresolve')}>
          <RotateCcw aria-hidden className="size-3.5" />
          Unresolve
        </Button>
      ) : (
        <Button variant="primary" onClick={() => act('resolve')} title="Resolve (e)">
          <Check aria-hidden className="size-3.5" />
          Resolve
        </Button>
      )}
      {shown.status === 'archived' ? (
        <Button onClick={() => act('unarchive')}>
          <ArchiveRestore aria-hidden className="size-3.5" />
          Unarchive
        </Button>
      ) : shown.status === 'unresolved' ? (
        <Button onClick={() => act('archive')} title="Archive (a)">
          <Archive aria-hidden className="size-3.5" />
          Archive
        </Button>
      ) : null}
      {shown.assignee && !isMine ? (
        <span className="flex items-center gap-1.5 text-sm" title={`Assigned to ${shown.assignee.name}`}>
          <Avatar name={shown.assignee.name} />
          <bdi className="max-w-32 truncate">{shown.assignee.name}</bdi>
        </span>
      ) : null}
      {isMine ? (
        <Button onClick={() => act('unassign')}>
          <Avatar name={user.name} className="-ml-1 size-5" />
          <UserMinus aria-hidden className="size-3.5" />
          Unassign
        </Button>
      ) : (
        <Button onClick={() => act('assign')}>
          <UserPlus aria-hidden className="size-3.5" />
          Assign to me
        </Button>
      )}
    </div>
  );
}
