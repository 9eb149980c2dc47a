'use client';

import { createContext, type ReactNode, use, useOptimistic } from 'react';
import { StatusBadge } from '../triage/status-badge.tsx';
import { applyChange, type ShownChange, type TriageAction, type TriageState } from '../triage.ts';
import { useTriage } from '../use-triage.ts';

type TriagedIssue = TriageState & { id: number; shortId: string; projectId: number };
type User = { userId: string; name: string };
type IssueTriageValue = {
  organizationSlug: string;
  user: User;
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
  user: User;
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
export function useIssueTriage(): IssueTriageValue {
  const value = use(IssueTriageContext);
  if (!value) throw new Error('An issue is triaged within IssueTriage');
  return value;
}

/** Where the issue stands, as the last action has it. */
export function ShownStatusBadge() {
  return <StatusBadge state={useIssueTriage().shown} />;
}
