import type { IssueChange, IssueStatus, IssueSubstatus } from '#storage/ports/issues.ts';

/** What a person does to issues with one key or button. */
export const TRIAGE_VERBS = ['resolve', 'unresolve', 'archive', 'unarchive', 'assign', 'unassign'] as const;
export type TriageVerb = (typeof TRIAGE_VERBS)[number];

/** The part of an issue that triage changes. */
export type TriageState = {
  status: IssueStatus;
  substatus: IssueSubstatus | null;
  assignee: { userId: string; name: string } | null;
};

/** An issue as it was, for undo. */
export type UndoEntry = {
  issueId: number;
  status: IssueStatus;
  substatus: IssueSubstatus | null;
  assigneeUserId: string | null;
};

/** Undoing only touches what the verb touched, so that a change made meanwhile stays. */
export function undoChange(verb: TriageVerb, entry: UndoEntry): IssueChange {
  return verb === 'assign' || verb === 'unassign'
    ? { assigneeUserId: entry.assigneeUserId }
    : { status: entry.status, substatus: entry.substatus };
}

/** `userId` is whoever does it. */
export function triageChange(verb: TriageVerb, userId: string): IssueChange {
  switch (verb) {
    case 'resolve':
      return { status: 'resolved' };
    case 'archive':
      return { status: 'archived' };
    case 'unresolve':
    case 'unarchive':
      return { status: 'unresolved' };
    case 'assign':
      return { assigneeUserId: userId };
    case 'unassign':
      return { assigneeUserId: null };
  }
}

/** How an issue looks before the server has answered. */
export function applyTriage<T extends TriageState>(
  issue: T,
  verb: TriageVerb,
  user: { userId: string; name: string },
): T {
  switch (verb) {
    case 'resolve':
      return { ...issue, status: 'resolved', substatus: null };
    case 'archive':
      return { ...issue, status: 'archived', substatus: 'archived_until_escalating' };
    case 'unresolve':
    case 'unarchive':
      return { ...issue, status: 'unresolved', substatus: 'ongoing' };
    case 'assign':
      return { ...issue, assignee: user };
    case 'unassign':
      return { ...issue, assignee: null };
  }
}

const DONE: Record<TriageVerb, string> = {
  resolve: 'Resolved',
  unresolve: 'Marked as unresolved',
  archive: 'Archived',
  unarchive: 'Taken out of the archive',
  assign: 'Assigned to you',
  unassign: 'Unassigned',
};

/** What the toast says: `Resolved WEB-3F`, `Archived 12 issues`. */
export function triageDone(verb: TriageVerb, shortIds: readonly string[]): string {
  const what = shortIds.length === 1 ? shortIds[0] : `${shortIds.length} issues`;
  return `${DONE[verb]}: ${what}`;
}

/** Whether an issue in that state leaves a list with that search. */
export function leavesList(query: string, state: Pick<TriageState, 'status'>): boolean {
  const asked = [
    ...query.matchAll(
      /(?:^|\s)(!?)is:(unresolved|resolved|archived|ignored|regressed|escalating|new|ongoing)(?=\s|$)/gi,
    ),
  ];
  const wanted = asked.filter((match) => match[1] === '').map((match) => statusOf(match[2]));
  const refused = asked.filter((match) => match[1] === '!').map((match) => statusOf(match[2]));
  if (refused.includes(state.status)) return true;
  return wanted.length > 0 && !wanted.includes(state.status);
}

function statusOf(word: string | undefined): IssueStatus {
  const name = word?.toLowerCase();
  if (name === 'resolved') return 'resolved';
  if (name === 'archived' || name === 'ignored') return 'archived';
  return 'unresolved';
}
