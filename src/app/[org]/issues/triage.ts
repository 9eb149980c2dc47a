import { SUBSTATUS_OF_CONDITION } from '#domain/issues/archive-conditions.ts';
import type {
  ArchiveCondition,
  Issue,
  IssueChange,
  IssuePriority,
  IssueRestoration,
  IssueStatus,
  PriorityState,
  Resolution,
  ResolutionChoice,
} from '#domain/issues/issue.ts';
import { statusStateOf } from '#domain/issues/issue.ts';
import type { PackageScope } from '#domain/issues/package-scope.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { TriagedIssue } from './triaged-issue.ts';

/** What a person does to issues with one key, button or menu. Assigning is to whoever does it. */
export type TriageAction =
  | { verb: 'resolve'; resolution: ResolutionChoice }
  | { verb: 'archive'; condition: ArchiveCondition }
  | { verb: 'prioritize'; priority: IssuePriority }
  | { verb: 'unresolve' | 'unarchive' | 'assign' | 'unassign' };

/** What the keys and the plain buttons mean. */
export const RESOLVE_NOW = { verb: 'resolve', resolution: { kind: 'now' } } as const satisfies TriageAction;
export const ARCHIVE_UNTIL_ESCALATING = {
  verb: 'archive',
  condition: { kind: 'escalating' },
} as const satisfies TriageAction;

export type TriageState = Omit<TriagedIssue, 'id' | 'shortId' | keyof PackageScope>;
export type TriageUser = { userId: string; name: string };

/** Undoing only touches what the action touched, so that a change made meanwhile stays. */
export function undoOf({ verb }: TriageAction, before: readonly Issue[]): IssueRestoration {
  if (verb === 'prioritize') {
    return {
      part: 'priority',
      entries: before.map((issue) => ({ issueId: issue.id, ...priorityOf(issue) })),
    };
  }
  if (verb === 'assign' || verb === 'unassign') {
    const entries = before.map(({ id, assignee, assigneeTeam }) => ({
      issueId: id,
      assigneeUserId: assignee?.userId ?? null,
      assigneeTeamId: assigneeTeam?.teamId ?? null,
    }));
    return { part: 'assignee', entries };
  }
  return { part: 'status', entries: before.map((issue) => ({ issueId: issue.id, ...statusStateOf(issue) })) };
}

const priorityOf = ({ priority, priorityLockedAt }: Issue): PriorityState => ({ priority, priorityLockedAt });

/** `userId` is whoever does it. */
export function triageChange(action: TriageAction, userId: string): IssueChange {
  switch (action.verb) {
    case 'resolve':
      return { status: 'resolved', resolution: action.resolution };
    case 'archive':
      return { status: 'archived', archive: action.condition };
    case 'prioritize':
      return { priority: action.priority };
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
export function applyTriage<T extends TriageState>(issue: T, action: TriageAction, user: TriageUser): T {
  const closed = { resolution: null, archive: null };
  switch (action.verb) {
    case 'resolve': {
      const resolution = expectedResolution(action.resolution);
      return { ...issue, ...closed, status: 'resolved', substatus: null, resolution };
    }
    case 'archive': {
      const archive = { condition: action.condition, archivedAt: 0, timesSeen: 0, userId: user.userId };
      const substatus = SUBSTATUS_OF_CONDITION[action.condition.kind];
      return { ...issue, ...closed, status: 'archived', substatus, archive };
    }
    case 'prioritize':
      return { ...issue, priority: action.priority };
    case 'unresolve':
    case 'unarchive':
      return { ...issue, ...closed, status: 'unresolved', substatus: 'ongoing' };
    case 'assign':
      return { ...issue, assignee: user };
    case 'unassign':
      return { ...issue, assignee: null };
  }
}

/** What changes how an issue is shown before the server has answered: an action, or its undoing. */
export type ShownChange = TriageAction | IssueRestoration;

/** As `applyTriage`, also of an undo. Of somebody else who was assigned only the server knows the name. */
export function applyChange<T extends TriageState & { id: number }>(
  issue: T,
  change: ShownChange,
  user: TriageUser,
): T {
  if ('verb' in change) return applyTriage(issue, change, user);
  switch (change.part) {
    case 'status': {
      const former = change.entries.find(({ issueId }) => issueId === issue.id);
      if (!former) return issue;
      const { status, substatus, resolution, archive } = former;
      return {
        ...issue,
        status,
        substatus,
        resolution,
        archive: archive && { ...archive, userId: null },
      };
    }
    case 'priority': {
      const former = change.entries.find(({ issueId }) => issueId === issue.id);
      return former ? { ...issue, priority: former.priority } : issue;
    }
    case 'assignee': {
      const former = change.entries.find(({ issueId }) => issueId === issue.id);
      return former ? { ...issue, assignee: former.assigneeUserId === user.userId ? user : null } : issue;
    }
  }
}

/** null while only the server knows which release is the newest. */
function expectedResolution(choice: ResolutionChoice): Resolution | null {
  if (choice.kind === 'now' || choice.kind === 'commit') return choice;
  return choice.kind === 'release' && choice.release !== null
    ? { kind: 'release', release: choice.release }
    : null;
}

/** What the toast says: `Resolved: WEB-3F`, `Archived: 12 issues`. */
export function triageDone(action: TriageAction, shortIds: readonly string[]): string {
  const what = shortIds.length === 1 ? shortIds[0] : `${shortIds.length} issues`;
  return `${doneLabel(action)}: ${what}`;
}

function doneLabel(action: TriageAction): string {
  switch (action.verb) {
    case 'resolve':
      return RESOLVED[action.resolution.kind];
    case 'archive':
      return ARCHIVED[action.condition.kind];
    case 'prioritize':
      return `Priority set to ${action.priority}`;
    case 'unresolve':
      return 'Marked as unresolved';
    case 'unarchive':
      return 'Unarchived';
    case 'assign':
      return 'Assigned to you';
    case 'unassign':
      return 'Unassigned';
  }
}

const RESOLVED: Readonly<Record<ResolutionChoice['kind'], string>> = {
  now: 'Resolved',
  next_release: 'Resolved in the next release',
  release: 'Resolved in a release',
  commit: 'Resolved in a commit',
};

const ARCHIVED: Readonly<Record<ArchiveCondition['kind'], string>> = {
  escalating: 'Archived until it escalates',
  forever: 'Archived forever',
  date: 'Archived until a date',
  events: 'Archived until more events',
  users: 'Archived until more users',
};

/** What follows "In the next release": the package of a single issue, or of several that share it. */
export function packageLabel(scopes: readonly PackageScope[]): string {
  const [name, ...others] = new Set(scopes.map((scope) => scope.package));
  return name && others.length === 0 ? ` of ${visibleText(name)}` : '';
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
