'use client';

import { ArchiveRestore, RotateCcw, UserMinus, UserPlus } from 'lucide-react';
import { createContext, type ReactNode, use, useOptimistic } from 'react';
import { Avatar } from '#ui/avatar.tsx';
import { Button } from '#ui/button.tsx';
import { useShortcuts } from '../../../shell/use-shortcuts.ts';
import { ArchiveButton } from '../triage/archive-button.tsx';
import { PriorityMenu } from '../triage/priority-menu.tsx';
import { ResolveButton } from '../triage/resolve-button.tsx';
import { StatusBadge } from '../triage/status-badge.tsx';
import {
  ARCHIVE_UNTIL_ESCALATING,
  applyChange,
  RESOLVE_NOW,
  type ShownChange,
  type TriageAction,
  type TriageUser,
} from '../triage.ts';
import type { TriagedIssue } from '../triaged-issue.ts';
import { useTriage } from '../use-triage.ts';

/** The buttons of an issue, and their keys. */
export function IssueActions() {
  const { organizationSlug, user, shown, act } = useIssueTriage();
  const isMine = shown.assignee?.userId === user.userId;
  const isArchived = shown.status === 'archived';
  useShortcuts({
    'issue.resolve': () => act(shown.status === 'resolved' ? { verb: 'unresolve' } : RESOLVE_NOW),
    ...(shown.status === 'resolved'
      ? {}
      : { 'issue.archive': () => act(isArchived ? { verb: 'unarchive' } : ARCHIVE_UNTIL_ESCALATING) }),
    ...(isMine ? {} : { 'issue.assign': () => act({ verb: 'assign' }) }),
  });
  return (
    <>
      {shown.status === 'resolved' ? (
        <Button onClick={() => act({ verb: 'unresolve' })}>
          <RotateCcw aria-hidden className="size-3.5" />
          Unresolve
        </Button>
      ) : (
        <ResolveButton organizationSlug={organizationSlug} scopes={[shown]} onAct={act} />
      )}
      {isArchived ? (
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
    </>
  );
}

type IssueTriageValue = {
  organizationSlug: string;
  user: TriageUser;
  /** The issue as it will be, before the server has answered. */
  shown: TriagedIssue;
  act: (action: TriageAction) => void;
};

const IssueTriageContext = createContext<IssueTriageValue | null>(null);

/** Holds what is being done to the issue, so that its badge and its buttons change at once and together. */
export function IssueTriage({
  organizationSlug,
  issue,
  user,
  children,
}: {
  organizationSlug: string;
  issue: TriagedIssue;
  user: TriageUser;
  children: ReactNode;
}) {
  const [shown, showOptimistic] = useOptimistic(issue, (current, change: ShownChange) =>
    applyChange(current, change, user),
  );
  const { triage } = useTriage({ organizationSlug, onOptimistic: showOptimistic });
  const act = (action: TriageAction) => triage(action, [issue]);
  return <IssueTriageContext value={{ organizationSlug, user, shown, act }}>{children}</IssueTriageContext>;
}

/** Only within `IssueTriage`. */
function useIssueTriage(): IssueTriageValue {
  const value = use(IssueTriageContext);
  if (!value) throw new Error('An issue is triaged within IssueTriage');
  return value;
}

/** Where the issue stands, as the last action has it. */
export function ShownStatusBadge() {
  return <StatusBadge state={useIssueTriage().shown} />;
}
