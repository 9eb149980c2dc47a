import { isDeepStrictEqual } from 'node:util';
import { SUBSTATUS_OF_CONDITION } from './archive-conditions.ts';
import {
  type ActivityType,
  type Archive,
  type ArchiveCondition,
  type Issue,
  type IssueChange,
  type IssueStatus,
  type IssueSubstatus,
  isSubstatusOf,
  type PriorityState,
  type Resolution,
  type ResolutionChoice,
  type StatusState,
  statusStateOf,
} from './issue.ts';
import { automaticPriority } from './priority.ts';

export type Assignee = { assigneeUserId: string | null; assigneeTeamId: number | null };
export type IssueState = StatusState & PriorityState & Assignee;

/** What a change makes of an issue, with one activity per thing that really changes. */
export type AppliedChange = {
  issue: Issue;
  after: IssueState;
  activities: readonly { type: ActivityType; data: object }[];
};

export type ChangeOrigin = {
  /** null when the system did it. */
  userId: string | null;
  atMs: number;
  /** The newest release of the issue's package; null when it has none, or when no resolution needs it. */
  newestRelease: string | null;
};

/** What a status gets when no substatus is chosen. */
const USUAL_SUBSTATUS = {
  unresolved: 'ongoing',
  resolved: null,
  archived: 'archived_until_escalating',
} as const satisfies Record<IssueStatus, IssueSubstatus | null>;

/**
 * Applies what is given; null when that changes nothing. A substatus that is not given, or does not belong to the
 * status, becomes the usual one.
 */
export function applyIssueChange(
  issue: Issue,
  change: IssueChange,
  origin: ChangeOrigin,
): AppliedChange | null {
  const state = changeStatus(issue, change, origin);
  const chosen =
    change.priority === undefined
      ? issue
      : { priority: change.priority, priorityLockedAt: issue.priorityLockedAt ?? origin.atMs };
  return describeChange(issue, {
    ...state,
    ...followStatus(issue, state, chosen),
    ...chooseAssignee(issue, change),
  });
}

/** Puts a part of an issue back; null when it is as it was. */
export function restoreIssue(issue: Issue, part: Partial<IssueState>): AppliedChange | null {
  const after = { ...stateOf(issue), ...part };
  return describeChange(issue, { ...after, ...followStatus(issue, after, after) });
}

function describeChange(issue: Issue, after: IssueState): AppliedChange | null {
  const before = stateOf(issue);
  const activities: { type: ActivityType; data: object }[] = [];
  if (!isDeepStrictEqual(statusStateOf(before), statusStateOf(after)))
    activities.push(describeStatus(issue, after));
  const isChosen = after.priorityLockedAt !== null && after.priorityLockedAt !== before.priorityLockedAt;
  if (isChosen || (after.priority !== before.priority && after.priorityLockedAt !== null)) {
    activities.push({ type: 'set_priority', data: { priority: after.priority, before: before.priority } });
  }
  if (after.assigneeUserId !== before.assigneeUserId || after.assigneeTeamId !== before.assigneeTeamId) {
    const { assigneeUserId, assigneeTeamId } = after;
    const data = {
      before: { assigneeUserId: before.assigneeUserId, assigneeTeamId: before.assigneeTeamId },
    };
    const isAssigned = assigneeUserId !== null || assigneeTeamId !== null;
    activities.push(
      isAssigned
        ? { type: 'assigned', data: { assigneeUserId, assigneeTeamId, ...data } }
        : { type: 'unassigned', data },
    );
  }
  return isDeepStrictEqual(before, after) ? null : { issue, after, activities };
}

function describeStatus(issue: Issue, after: IssueState): { type: ActivityType; data: object } {
  const { status, substatus, resolution, archive } = after;
  const before = { status: issue.status, substatus: issue.substatus };
  if (resolution) return describeResolution(resolution, before);
  if (archive) return { type: 'set_archived', data: { substatus, condition: archive.condition, before } };
  const isAgeing = status === issue.status && substatus === 'ongoing';
  return { type: isAgeing ? 'auto_set_ongoing' : 'set_unresolved', data: { substatus, before } };
}

function describeResolution(resolution: Resolution, before: object): { type: ActivityType; data: object } {
  switch (resolution.kind) {
    case 'now':
      return { type: 'set_resolved', data: { before } };
    case 'next_release':
      return {
        type: 'set_resolved_in_release',
        data: { inNextRelease: true, after: resolution.after, before },
      };
    case 'release':
      return { type: 'set_resolved_in_release', data: { version: resolution.release, before } };
    case 'commit': {
      const { repository, commit } = resolution;
      return { type: 'set_resolved_in_commit', data: { repository, commit, before } };
    }
  }
}

function changeStatus(issue: Issue, change: IssueChange, origin: ChangeOrigin): StatusState {
  const status = change.status ?? issue.status;
  if (status === 'resolved') return resolve(issue, change, origin);
  if (status === 'archived') return archive(issue, change, origin);
  const substatus = chooseSubstatus(issue, change, status);
  const isSame = issue.status === status && issue.substatus === substatus;
  return isSame ? statusStateOf(issue) : { ...UNRESOLVED, substatus, substatusAt: origin.atMs };
}

const UNRESOLVED = { status: 'unresolved', resolvedAt: null, resolution: null, archive: null } as const;

function resolve(issue: Issue, change: IssueChange, origin: ChangeOrigin): StatusState {
  const choice = change.resolution ?? (issue.resolution === null ? { kind: 'now' } : null);
  const resolution = choice === null ? issue.resolution : decideResolution(choice, origin.newestRelease);
  if (isDeepStrictEqual(resolution, issue.resolution)) return statusStateOf(issue);
  const { atMs } = origin;
  return {
    status: 'resolved',
    substatus: null,
    substatusAt: atMs,
    resolvedAt: atMs,
    resolution,
    archive: null,
  };
}

/** Callers make sure that there is a newest release when the choice needs one. */
function decideResolution(choice: ResolutionChoice, newestRelease: string | null): Resolution {
  if (choice.kind === 'next_release') return { kind: 'next_release', after: newestRelease! };
  if (choice.kind === 'release') return { kind: 'release', release: choice.release ?? newestRelease! };
  return choice;
}

function archive(issue: Issue, change: IssueChange, origin: ChangeOrigin): StatusState {
  const substatus = chooseSubstatus(issue, change, 'archived');
  const isKept = change.archive === undefined && issue.archive !== null && substatus === issue.substatus;
  const condition: ArchiveCondition = change.archive ?? {
    kind: substatus === 'archived_forever' ? 'forever' : 'escalating',
  };
  if (isKept || isDeepStrictEqual(condition, issue.archive?.condition)) return statusStateOf(issue);
  const { userId, atMs } = origin;
  const after: Archive = { condition, archivedAt: atMs, timesSeen: issue.timesSeen, userId };
  return {
    status: 'archived',
    substatus: SUBSTATUS_OF_CONDITION[condition.kind],
    substatusAt: atMs,
    resolvedAt: null,
    resolution: null,
    archive: after,
  };
}

function chooseSubstatus(issue: Issue, change: IssueChange, status: IssueStatus): IssueSubstatus | null {
  if (change.substatus && isSubstatusOf(status, change.substatus)) return change.substatus;
  return status === issue.status ? issue.substatus : USUAL_SUBSTATUS[status];
}

/** Whoever is named takes the place of whoever was. */
function chooseAssignee(issue: Issue, { assigneeUserId, assigneeTeamId }: IssueChange): Assignee {
  if (assigneeUserId === undefined && assigneeTeamId === undefined) return assigneeOf(issue);
  return { assigneeUserId: assigneeUserId ?? null, assigneeTeamId: assigneeTeamId ?? null };
}

/** A priority that nobody chose goes with what the issue is now. */
function followStatus(issue: Issue, state: StatusState, chosen: PriorityState): PriorityState {
  const { priority, priorityLockedAt } = chosen;
  if (priorityLockedAt !== null) return { priority, priorityLockedAt };
  return { priority: automaticPriority(issue.level, state.substatus), priorityLockedAt };
}

const assigneeOf = (issue: Issue): Assignee => ({
  assigneeUserId: issue.assignee?.userId ?? null,
  assigneeTeamId: issue.assigneeTeam?.teamId ?? null,
});

const stateOf = (issue: Issue): IssueState => ({
  ...statusStateOf(issue),
  priority: issue.priority,
  priorityLockedAt: issue.priorityLockedAt,
  ...assigneeOf(issue),
});
