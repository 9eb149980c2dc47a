'use client';

import { ArchiveRestore, RotateCcw, UserMinus, UserPlus } from 'lucide-react';
import { useEffect, useOptimistic } from 'react';
import { Avatar } from '#ui/avatar.tsx';
import { Button } from '#ui/button.tsx';
import { isTyping } from '../../../frame/is-typing.ts';
import { ArchiveButton } from '../triage/archive-button.tsx';
import { PriorityMenu } from '../triage/priority-menu.tsx';
import { ResolveButton } from '../triage/resolve-button.tsx';
import {
  ARCHIVE_UNTIL_ESCALATING,
  applyTriage,
  RESOLVE_NOW,
  type TriageAction,
  type TriageState,
} from '../triage.ts';
import { useTriage } from '../use-triage.ts';

/** The buttons of an issue; `e` resolves and `a` archives. */
export function IssueActions({
  organizationSlug,
  issue,
  user,
}: {
  organizationSlug: string;
  issue: TriageState & { id: number; shortId: string; projectId: number };
  user: { userId: string; name: string };
}) {
  const [shown, showOptimistic] = useOptimistic(issue, (current, action: TriageAction) =>
    applyTriage(current, action, user),
  );
  const { triage } = useTriage({ organizationSlug, onOptimistic: showOptimistic });
  const act = (action: TriageAction) => triage(action, [issue]);

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (isTyping(event) || shown.status !== 'unresolved') return;
      if (event.key === 'e') act(RESOLVE_NOW);
      else if (event.key === 'a') act(ARCHIVE_UNTIL_ESCALATING);
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
        <Button onClick={() => act({ verb: 'unresolve' })}>
          <RotateCcw aria-hidden className="size-3.5" />
          Unresolve
        </Button>
      ) : (
        <ResolveButton organizationSlug={organizationSlug} projectIds={[issue.projectId]} onAct={act} />
      )}
      {shown.status === 'archived' ? (
        <Button onClick={() => act({ verb: 'unarchive' })}>
          <ArchiveRestore aria-hidden className="size-3.5" />
          Unarchive
        </Button>
      ) : shown.status === 'unresolved' ? (
        <ArchiveButton onAct={act} />
      ) : null}
      <PriorityMenu priority={shown.priority} onAct={act} />
      {shown.assignee && !isMine ? (
        <span className="flex items-center gap-1.5 text-sm" title={`Assigned to ${shown.assignee.name}`}>
          <Avatar name={shown.assignee.name} />
          <bdi className="max-w-32 truncate">{shown.assignee.name}</bdi>
        </span>
      ) : null}
      {isMine ? (
        <Button onClick={() => act({ verb: 'unassign' })}>
          <Avatar name={user.name} className="-ml-1 size-5" />
          <UserMinus aria-hidden className="size-3.5" />
          Unassign
        </Button>
      ) : (
        <Button onClick={() => act({ verb: 'assign' })}>
          <UserPlus aria-hidden className="size-3.5" />
          Assign to me
        </Button>
      )}
    </div>
  );
}
